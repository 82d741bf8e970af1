"""The whole of a firing: what may hold it back, the survey of base, the gate, and the write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from bot import __version__, holds
from bot.codec import encode
from bot.compose.desk import Desk
from bot.lines import shortened
from bot.model import Ready, Refused, Trigger
from bot.nodes.precheck import Precheck
from bot.settings import digest

if TYPE_CHECKING:
    from bot.ports import GatePart, Ledger
    from bot.publisher import StorePublisher
    from bot.survey import Survey

REJECTED, REASON = 40, 300


@dataclass
class Shop(Desk):
    """What the nodes are given. `watch` hears the name of each node as the engine comes to it."""

    watch: Callable[[str], None] = lambda _: None

    @cached_property
    def parts(self) -> tuple[GatePart, ...]:
        """The gate's parts in their fixed order."""
        from ruff import find_ruff_bin

        from bot.parts import CataloguePart, LintPart, RouteRules, RoutesPart, Tools, ruff_version

        tools = Tools(self.store, self.exports, self.sandbox, self.cache, self.reader, self.clock)
        gate = self.settings.gate
        rules = RouteRules(gate.routes.examples, gate.routes.allow, gate.routes.floor, gate.seconds)
        return (
            LintPart(tools, find_ruff_bin(), ruff_version(), gate.seconds),
            CataloguePart(tools, gate.catalogue.folder),
            RoutesPart(tools, self.site, rules),
        )

    @cached_property
    def survey(self) -> Survey:
        """The dear facts of base."""
        from bot import prompts
        from bot.survey import Survey, Terms

        said = self.settings
        texts = {name: prompts.digest(name) for name in ("build", "validate", "fix")}
        terms = Terms(said.site.branch, digest(said), texts, said.allowance(), self.sandbox.mode)
        return Survey(terms, self.reader, self.parts, self.learn, self.rejected, self.cache)

    def learn(self, base: str) -> Ledger:
        """The ledger, brought up to the base's whole history."""
        self.ledger.rebuild(((one.oid, one.when, one.message) for one in self.store.log(base)), base)
        return self.ledger

    def rejected(self) -> Iterable[str]:
        """Recent rejected ideas, a line each."""
        found = self.ledger.rejected(REJECTED)
        return [shortened(f"{', '.join(one.keys)}: {one.reason}", REASON) for one in found]

    def precheck(self, trigger: Trigger) -> Ready | Refused:
        """The node's body; with a `Ready` comes the first line of the recording."""
        from bot.tip import Tip

        tip = Tip(lambda: self.store, self.settings.site.branch, self.journal, self.clock)
        value = Precheck(self.holds, tip, self.settings.cycle.quiet_period, lambda: self.survey).run(trigger)
        if isinstance(value, Ready):
            self.folders.make_cycle(trigger.cycle)
            self.record.unlink(missing_ok=True)  # of a precheck that a crash cut short: nothing was asked yet
            self.recording.begin(header(trigger, value))
        return value

    @property
    def holds(self) -> tuple[holds.Hold, ...]:
        """Cheap reasons not to start, the cheapest first."""
        from bot.checkout import dirty
        from bot.compose.waiting import WaitingRoom

        said, journal = self.settings, self.journal
        found = [holds.paused(journal), holds.broken(journal, said.budget.failures), WaitingRoom(self).hold]
        found.append(holds.spent(journal, self.caps))
        if said.checkout is not None:
            found.append(holds.edited(said.checkout, lambda checkout: dirty(checkout, said.cycle.allow)))
        return tuple(found)

    @cached_property
    def publisher(self) -> StorePublisher:
        """The only way out."""
        from bot.publisher import StorePublisher

        return StorePublisher(self.store, self.follow)

    def follow(self, commit: str, ready: Ready) -> str:
        """Bring the live checkout along; a note of what was done, empty where none is configured."""
        from bot.checkout import fast_forward

        checkout = self.settings.checkout
        return "" if checkout is None else fast_forward(checkout, ready.branch, self.store, commit, ready.base)


def header(trigger: Trigger, ready: Ready) -> dict[str, object]:
    """The first line of a recording: all that a replay needs to know beside the exchanges."""
    return {
        "version": __version__,
        "cycle": ready.cycle,
        "base": ready.base,
        "config": ready.config,
        "started": ready.started,
        "trigger": json.loads(encode(trigger)),
        "ready": json.loads(encode(ready)),
    }
