"""The nodes' bodies, each made when the engine comes to it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import wraps

from bot.compose.shop import Shop
from bot.errors import CommandFailed, SnapshotFailed
from bot.machine.removal import remove
from bot.model import GateObjections, GatePassed, GuardObjections, GuardsPassed, Review, Snapshot
from bot.nodes.build import Build
from bot.nodes.commit import Commit
from bot.nodes.decide import Decide
from bot.nodes.fix import Fix
from bot.nodes.gate import Gate
from bot.nodes.guards import Guards
from bot.nodes.revert import Revert
from bot.nodes.scope import Scope
from bot.nodes.skipped import Skip
from bot.nodes.validate import Validate
from bot.operation.past import verdict

Body = Callable[..., object]


class Bodies(Mapping[str, Body]):
    """By node name; looking one up makes what it needs and nothing else. What a body answers holds no secret."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop
        self._made: dict[str, Callable[[], Body]] = {
            "precheck": lambda: shop.precheck,
            "build": lambda: Build(shop.agent, shop.workspace, shop.briefs.build).run,
            "scope": lambda: Scope(lambda: shop.freezer).run,
            "guards": lambda: Guards(lambda: shop.reader, lambda: shop.panel, self._guarded).run,
            "gate": lambda: Gate(lambda: shop.parts, self._gated).run,
            "validate": self._validate,
            "decide": lambda: Decide().run,
            "fix": self._fix,
            "commit": lambda: Commit(shop.publisher, shop.settings.cycle.approve == "ask").run,
            "revert": lambda: Revert(lambda: remove(shop.place)).run,
            "skipped": lambda: Skip().run,
        }

    def __getitem__(self, name: str) -> Body:
        self._shop.watch(name, self._shop.money)
        return self._shop.redaction.around(self._blaming(self._made[name]()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)

    def _blaming(self, body: Body) -> Body:
        """The body; where git failed in it because the store is damaged, that is what it complains of."""

        @wraps(body)
        def named(**arguments: object) -> object:
            try:
                return body(**arguments)
            except (CommandFailed, SnapshotFailed) as error:
                from bot.store.damage import raise_blamed

                raise_blamed(self._shop.folders.store, error)

        return named

    def _validate(self) -> Body:
        from bot.agents.review import parse

        shop = self._shop
        return Validate(shop.agent, shop.briefs.review, parse, self._reviewed, shop.visit).run

    def _fix(self) -> Body:
        shop = self._shop
        return Fix(shop.agent, shop.workspace, shop.briefs.fix, shop.freezer.agents_tree, shop.visit).run

    def _reviewed(self, tree: str) -> Review | None:
        found = self._shop.journal.reviewed(self._shop.trigger.cycle, tree)
        return found if isinstance(found, Review) else None

    def _guarded(self, snapshot: Snapshot) -> GuardsPassed | GuardObjections | None:
        found = verdict(self._shop.journal, self._shop.trigger.cycle, "guards", snapshot)
        return found if isinstance(found, GuardsPassed | GuardObjections) else None

    def _gated(self, snapshot: Snapshot) -> GatePassed | GateObjections | None:
        found = verdict(self._shop.journal, self._shop.trigger.cycle, "gate", snapshot)
        return found if isinstance(found, GatePassed | GateObjections) else None
