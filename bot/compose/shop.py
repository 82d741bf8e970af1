"""The whole of a firing: what may hold it back, the survey of base, the gate, and the write."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from bot import __version__
from bot.codec import encode
from bot.compose.desk import Desk
from bot.model import Holdings, Ready, Refused, Trigger
from bot.nodes.precheck import Precheck, recent
from bot.operation import holds
from bot.settings import digest
from bot.settings.gate import Gate
from bot.store.tip import Tip

if TYPE_CHECKING:
    from bot.base.known import Known
    from bot.base.survey import Survey
    from bot.parts import RouteRules
    from bot.ports import GatePart
    from bot.store.publisher import StorePublisher

Watch = Callable[[str, Callable[[], float | None]], None]
RECENT = 20  # runs whose end a died process may have left untold; without a ledger all are read


@dataclass
class Shop(Desk):
    """What the nodes are given. `watch` hears the name of each node as the engine comes to it, and what tells the
    money that the cycle has spent so far."""

    watch: Watch = lambda _node, _money: None

    @cached_property
    def parts(self) -> tuple[GatePart, ...]:
        """The gate's parts in their fixed order."""
        from bot.compose.discreet import Discreet
        from bot.parts import CataloguePart, CatalogueRules, LintPart, RoutesPart, TestsPart, choose_ruff

        tools, gate = self.tools, self.settings.gate
        complete = CatalogueRules(gate.catalogue.folder or "", gate.catalogue.require)
        parts: tuple[GatePart, ...] = (
            LintPart(tools, choose_ruff(self.site.python), gate.seconds),
            CataloguePart(tools, self.extractor, complete),
            RoutesPart(tools, self.site, sweeping(gate)),
            *((TestsPart(tools, self.site, gate.tests.command, gate.seconds),) if gate.tests.command else ()),
        )
        return tuple(Discreet(part, self.redaction) for part in parts)

    @cached_property
    def survey(self) -> Survey:
        """The dear facts of base, gathered only where a model can be asked. Raises CredentialsRefused."""
        from bot.agents import prompts
        from bot.base.survey import Survey, Terms

        said, _ = self.settings, self.key
        texts = {name: prompts.digest(name) for name in ("build", "validate", "fix")}
        terms = Terms(said.site.branch, digest(said), texts, said.allowance(), self.sandbox.mode)
        return Survey(terms, self.reader, self.parts, self.learn, self.cache)

    def learn(self, base: str, held: Holdings) -> Known:
        """What is known at base: the ledger, brought up to the whole history and to what the journal tells."""
        from bot.base.known import learnt
        from bot.operation.attempts import attempts

        log = self.history(base)
        ledger, additions = self.ledger, self.settings.additions
        if ledger.exists:
            ledger.rebuild(log, base)
            ledger.remember(attempts(self.journal, additions, RECENT))
        else:
            ledger.renew(log, base, attempts(self.journal, additions))
        return learnt(ledger, held, datetime.fromisoformat(self.trigger.started))

    def history(self, tip: str) -> Iterator[tuple[str, str, str]]:
        """Every commit up to the tip, oldest first: its id, its date, its message."""
        return ((one.oid, one.when, one.message) for one in self.store.log(tip))

    def precheck(self, trigger: Trigger) -> Ready | Refused:
        """The node's body; with a `Ready` comes the first line of the recording."""
        value = Precheck(self.holds, self.tip, self.settings.cycle.quiet_period, lambda: self.survey).run(trigger)
        if isinstance(value, Ready):
            self.folders.make_cycle(trigger.cycle)
            self.record.unlink(missing_ok=True)  # of a precheck that a crash cut short: nothing was asked yet
            self.recording.begin(header(trigger, value))
        return value

    @cached_property
    def tip(self) -> Tip:
        """The configured branch of the remote."""
        return Tip(lambda: self.store, self.settings.site.branch, self.journal, self.clock)

    @property
    def holds(self) -> tuple[holds.Hold, ...]:
        """Cheap reasons not to start, the cheapest first."""
        from bot.store.checkout import dirty

        said, journal = self.settings, self.journal
        found = [holds.paused(journal), holds.broken(journal, said.budget.failures), self._waiting]
        found += [holds.spent(journal, self.caps), self._young]
        if said.checkout is not None:
            found.append(holds.edited(said.checkout, lambda checkout: dirty(checkout, said.cycle.allow)))
        return tuple(found)

    def _young(self, trigger: Trigger) -> Refused | None:
        """While even the tip that was fetched last is younger than the quiet period: the remote need not be asked."""
        known = self.tip.known()
        return None if known is None else recent(trigger, self.tip, known, self.settings.cycle.quiet_period)

    def _waiting(self, trigger: Trigger) -> Refused | None:
        """What the room of those that wait says; it is empty most of the time, and not entered then."""
        if not self.journal.waiting_runs() and self.journal.note(holds.APPROVED) is None:
            return None
        from bot.compose.waiting import WaitingRoom

        return WaitingRoom(self).hold(trigger)

    @cached_property
    def publisher(self) -> StorePublisher:
        """The only way out."""
        from bot.store.publisher import StorePublisher

        return StorePublisher(self.store, self.follow)

    def follow(self, commit: str, ready: Ready) -> str:
        """Bring the live checkout along; a note of what was done, empty where none is configured."""
        from bot.store.checkout import fast_forward

        checkout = self.settings.checkout
        return "" if checkout is None else fast_forward(checkout, ready.branch, self.store, commit, ready.base)


def sweeping(gate: Gate) -> RouteRules:
    """`[gate.routes]` as the routes part takes it."""
    from bot.parts import RouteRules
    from gates.login import Login

    said = gate.routes
    return RouteRules(
        examples=said.examples,
        allow=said.allow,
        floor=said.floor,
        seconds=gate.seconds,
        foreign_hosts=said.foreign_hosts,
        inline_scripts=said.inline_scripts,
        login=Login(said.login.path, tuple(said.login.form.items())) if said.login else None,
    )


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
