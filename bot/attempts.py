"""What the journal says was tried and rejected: the ledger's other source beside the history."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from bot.errors import JournalError
from bot.journal import Journal, Run
from bot.model import Addition
from bot.past import Past
from ledger.contents import Rejected
from ledger.standing import claimed

ALL = 1_000_000
TURNED_DOWN = "rejected by "  # how the reason of a person who gave an answer begins (bot.compose.waiting)


def attempt(journal: Journal, run: Run, additions: Iterable[Addition]) -> Rejected | None:
    """The idea that a run was turned down with; None where it made no claim, was dry, or ended otherwise.

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
    return Rejected(claimed(past.claim, additions), run.reason, run.cycle, run.started, fades, past.patches)


def attempts(
    journal: Journal,
    additions: Iterable[Addition],
    newest: int = ALL,
    passed_over: Callable[[str], None] = lambda _: None,
) -> Iterator[Rejected]:
    """Those of the newest runs. `passed_over` hears of each run that another version wrote in words unknown here."""
    declared = tuple(additions)
    for run in journal.runs(newest):
        try:
            found = attempt(journal, run, declared)
        except JournalError as error:
            passed_over(f"{run.cycle} is passed over: {error}")
            continue
        if found:
            yield found
