"""Carries out what people said about cycles that wait for them: push exactly what was judged, or give it up."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.compose.shop import Shop
from bot.errors import ConfigError, JournalError
from bot.frozen import frozen
from bot.journal import Run
from bot.model import Approve, Committed, Outcome, Ready, Refused, Reverted, Trigger, Waiting
from bot.nodes.commit import deliver
from bot.notify import answered
from bot.operation.attempts import attempt
from bot.operation.consent import Consent, expires, give, given
from bot.operation.holds import APPROVED
from bot.store.publisher import WAITING
from bot.telling.report import report


@frozen
class _Held:
    """What a waiting run recorded."""

    run: Run
    ready: Ready
    approve: Approve
    commit: str


class WaitingRoom:
    """The runs of one site that wait. Everything here wants the site's lock held."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def answer(self, run: Run, consent: Consent) -> Outcome:
        """Note what a person said and carry it out; what the run came to. The note is first, so a crash loses nothing.

        Raises ConfigError where the run waits for nobody, or is to be rejected and is on the branch already.
        """
        earlier = given(self._shop.journal, run.cycle) if run.outcome == "waiting" else None
        if consent.word == "reject" and earlier and earlier.word == "approve" and self._landed(run):
            raise ConfigError(f"{run.cycle} is on the branch already; `plusone revert {run.cycle}` takes it back")
        give(self._shop.journal, run, consent)
        outcome = self._settle(run)
        assert outcome is not None
        return outcome

    def hold(self, trigger: Trigger) -> Refused | None:
        """Settle what can be settled; a refusal while a run waits, and for a while after an approval moved the branch.

        A dry run settles nothing.
        """
        for run in self._shop.journal.waiting_runs():
            if trigger.dry_run or self._settle(run) is None:
                late = expires(run, self._patience)
                return Refused("wait", "waiting", f"{run.cycle} waits for approval until {late:%Y-%m-%d %H:%M} UTC")
        return self._quiet(trigger)

    @property
    def _patience(self) -> timedelta:
        return self._shop.settings.cycle.approve_expires

    def _quiet(self, trigger: Trigger) -> Refused | None:
        """An approved commit is dated when it was judged; the quiet period counts from when it reached the branch."""
        moved = self._shop.journal.note(APPROVED)
        if moved is None:
            return None
        over = datetime.fromisoformat(moved) + self._shop.settings.cycle.quiet_period
        if datetime.fromisoformat(trigger.started) >= over:
            return None
        return Refused("wait", "too-soon", f"an approved cycle was pushed at {moved[:16]} UTC; wait until {over:%H:%M}")

    def _settle(self, run: Run) -> Outcome | None:
        """What the run came to; None while it waits on."""
        consent = given(self._shop.journal, run.cycle)
        held = self._held(run)
        outcome = self._outcome(held, consent)
        if outcome is not None:
            self._close(held, outcome)
        return outcome

    def _outcome(self, held: _Held, consent: Consent | None) -> Outcome | None:
        run, shop = held.run, self._shop
        if consent and consent.word == "reject":
            return self._given_up(held, f"rejected {consent.told}")
        said = datetime.fromisoformat(consent.when) if consent else shop.clock.now()
        if said > expires(run, self._patience):
            return self._given_up(held, "nobody approved of it in time (cycle.approve_expires)")
        if consent:
            return self._delivered(held, consent)
        if shop.store.tip(held.ready.branch) != held.ready.base:
            return self._given_up(held, f"{held.ready.branch} moved while it waited for approval")
        return None

    def _delivered(self, held: _Held, consent: Consent) -> Outcome:
        shop = self._shop
        outcome = deliver(shop.publisher, held.commit, held.ready, held.approve)
        if not isinstance(outcome, Committed):
            return outcome
        shop.journal.set_note(APPROVED, shop.clock.now().isoformat(timespec="seconds"))
        reason = f"{outcome.reason}, approved {consent.told}"
        return Committed(outcome.commit, outcome.tree, reason, outcome.adds, outcome.checkout)

    def _given_up(self, held: _Held, reason: str) -> Reverted:
        where = self._shop.publisher.rescue(held.commit, held.ready)
        approve = held.approve
        return Reverted("commit", f"{reason}; kept under {where}", (), approve.tree, approve.snapshot.claim)

    def _close(self, held: _Held, outcome: Outcome) -> None:
        """The journal first: the ledger follows from it, and the next firing reads what a crash left out."""
        shop, run = self._shop, held.run
        shop.journal.settle_run(run.cycle, outcome)
        if isinstance(outcome, Committed) and shop.ledger.exists:
            shop.ledger.rebuild(shop.history(outcome.commit), outcome.commit)
        if found := attempt(shop.journal, shop.journal.run(run.cycle), shop.settings.additions):
            shop.ledger.remember([found])
        shop.store.drop(f"{WAITING}/{run.cycle}")
        answered(shop.settings, shop.journal, report(shop.journal, shop.journal.run(run.cycle)))

    def _landed(self, run: Run) -> bool:
        held = self._held(run)
        return self._shop.store.landed(held.commit, held.ready.branch)

    def _held(self, run: Run) -> _Held:
        journal = self._shop.journal
        values = [journal.value(one.type, one.value) for one in journal.steps(run.cycle) if one.type and one.value]
        found = {type(value): value for value in values}
        ready, approve, waiting = found.get(Ready), found.get(Approve), found.get(Waiting)
        if isinstance(ready, Ready) and isinstance(approve, Approve) and isinstance(waiting, Waiting):
            return _Held(run, ready, approve, waiting.commit)
        raise JournalError(f"{run.cycle} waits, but its record lacks what was judged; `plusone runs` lists the others")
