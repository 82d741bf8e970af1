"""What the journal says was tried and rejected: the ledger's other source beside the history."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict

from bot.errors import JournalError
from bot.frozen import frozen
from bot.journal import Journal, Run
from bot.model import Addition, Claim
from bot.operation.past import Past
from ledger.contents import Rejected
from ledger.standing import claimed

ALL = 1_000_000
_IDEA = "idea/"
TURNED_DOWN = "rejected by "  # how the reason of a person who gave an answer begins (bot.compose.waiting)


def attempt(journal: Journal, run: Run, additions: Iterable[Addition]) -> Rejected | None:
    """The idea that a run was turned down with; None where it made no claim, was dry, or ended otherwise."""
    found = _tried(journal, run)
    return found.told(additions) if found else None


def kept_of(journal: Journal, run: Run) -> dict[str, str]:
    """The note that stands for a run's rejected idea once its rows are gone; empty where the ledger needs none.

    Raises JournalError where the rows cannot be read.
    """
    found = _tried(journal, run)
    return {_IDEA + run.cycle: json.dumps(asdict(found), ensure_ascii=False)} if found else {}


@frozen
class _Tried:
    """All that the ledger takes from a run; its keys follow from the claim and what the site declares."""

    cycle: str
    kind: str
    key: str
    reason: str
    when: str
    fades: bool
    patches: tuple[str, ...]

    def told(self, additions: Iterable[Addition]) -> Rejected:
        keys = claimed(Claim(self.kind, self.key, ""), additions)
        return Rejected(keys, self.reason, self.cycle, self.when, self.fades, self.patches)


def _tried(journal: Journal, run: Run) -> _Tried | None:
    """What was tried in vain.

    An ending without an objection (a lost race, a reviewer who cannot be read, a service that is down) says nothing
    against the idea, so it fades; what a person turned down does not.
    """
    if run.outcome not in ("reverted", "failed") or run.dry_run:
        return None
    past = Past.of(journal, run.cycle)
    if past.claim is None:
        return None
    outcome = journal.value(run.result_type or "", run.result or "")
    fades = not getattr(outcome, "objections", ()) and not run.reason.startswith(TURNED_DOWN)
    return _Tried(run.cycle, past.claim.kind, past.claim.key, run.reason, run.started, fades, past.patches)


def attempts(
    journal: Journal,
    additions: Iterable[Addition],
    newest: int = ALL,
    passed_over: Callable[[str], None] = lambda _: None,
) -> Iterator[Rejected]:
    """Those of the newest runs; where all are asked for, also of runs whose rows are gone.

    `passed_over` hears of each run that another version wrote in words unknown here.
    """
    declared = tuple(additions)
    for run in journal.runs(newest):
        try:
            found = attempt(journal, run, declared)
        except JournalError as error:
            passed_over(f"{run.cycle} is passed over: {error}")
            continue
        if found:
            yield found
    for cycle, text in journal.noted(_IDEA).items() if newest >= ALL else ():
        try:
            yield _read(text).told(declared)
        except (ValueError, TypeError) as error:
            passed_over(f"{cycle} is passed over: its note cannot be read: {error}")


def _read(text: str) -> _Tried:
    plain = json.loads(text)
    return _Tried(**{**plain, "patches": tuple(plain["patches"])})
