"""What follows a cycle's end, and what the next firing does of it where the process died before it was done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from bot.compose import Shop
from bot.errors import JournalError, PlusoneError, StoreDamaged
from bot.folders import Folders
from bot.journal import Journal, Run
from bot.machine.drafts import sweep_drafts
from bot.machine.removal import remove
from bot.model import Committed, Outcome, Skipped, Trigger
from bot.operation.notice import notice
from bot.telling.report import Report, report

_DRAFTS = (".store-*", ".ledger-*", "journal.db.new-*")
_ABROAD = ("plusone-git", "plusone-ask", "plusone-tree", "plusone-ignored", "plusone-units")  # where all may write


def sweep(folders: Folders, died: bool) -> None:
    """Remove what only a process that died can have left. Call it with the lock held, for then nobody else runs.

    `died` says that a run has no end; a check by hand that was killed leaves no run, but its export.
    """
    if died or any(folders.scratch.iterdir()):
        from bot.machine.orphans import end_orphans  # late: seldom needed

        end_orphans(folders.root)
    remove(folders.scratch)
    for path in (found for pattern in _DRAFTS for found in folders.root.glob(pattern)):
        remove(path)
    for path in folders.cache.glob(".*"):
        remove(path)
    sweep_drafts(("replay",), folders.root)
    sweep_drafts(_ABROAD)
    for lock in (*folders.store.glob("*.lock"), *folders.store.glob("refs/**/*.lock")):
        remove(lock)  # git never takes over a lock whose owner is dead


@contextmanager
def renewing(folders: Folders) -> Iterator[None]:
    """Inside, with the lock held, a store that turns out to be damaged makes room for a new one: for the next firing.

    Where that cannot be, the next firing finds it damaged again, and tries again.
    """
    try:
        yield
    except StoreDamaged:
        from bot.store.damage import renew

        with suppress(PlusoneError, OSError):
            renew(folders.store)
        raise


def learn(shop: Shop, outcome: Outcome) -> None:
    """Remember what was added, and a rejected idea, so that it is not had again; what was skipped tried nothing."""
    if isinstance(outcome, Skipped):
        return
    from bot.operation.attempts import attempt

    if isinstance(outcome, Committed):
        shop.ledger.rebuild(shop.history(outcome.commit), outcome.commit)
    run = shop.journal.run(shop.trigger.cycle)
    if found := attempt(shop.journal, run, shop.settings.additions):
        shop.ledger.remember([found])


def conclude(shop: Shop) -> Report:
    """Nothing stays behind but the record, and the record says how it ended.

    A run that could not even be closed keeps its workspace, for the next firing goes on from it.
    """
    remove(shop.folders.scratch)
    run = shop.journal.run(shop.trigger.cycle)
    if run.ended is not None:
        remove(shop.folders.cycle(run.cycle) / "workspace")
    ended = report(shop.journal, run)
    if run.result_type and run.result:
        ended["notice"] = notice(shop.journal, outcome_of(shop.journal, run))
        if shop.record.exists():
            shop.recording.finish(ended)
    return ended


def catch_up(shop: Shop, shop_of: Callable[[Trigger], Shop]) -> None:
    """Where a process died after its run was closed and before all that follows was done, do it now.

    Each firing looks at the newest run, so none is missed; a run of another program is left as it is, and so is one
    whose own words can no longer be read: it is over, and must not hold up all that come after it.
    """
    for run in shop.journal.runs(1):
        if run.ended is not None and run.graph == shop.graph.hash and _unconcluded(shop.folders, run):
            try:
                late = shop_of(trigger_of(shop, run))
                learn(late, outcome_of(shop.journal, run))
                conclude(late)
            except JournalError:
                remove(shop.folders.cycle(run.cycle) / "workspace")


def outcome_of(journal: Journal, run: Run) -> Outcome:
    """How a closed run ended. Raises JournalError where that cannot be read."""
    outcome = journal.value(run.result_type or "", run.result or "")
    assert isinstance(outcome, Outcome)
    return outcome


def trigger_of(shop: Shop, run: Run) -> Trigger:
    """What set the run off. Raises JournalError where that cannot be read."""
    given = shop.journal.value(run.given_type, run.given)
    assert isinstance(given, Trigger)
    return given


def _unconcluded(folders: Folders, run: Run) -> bool:
    """Whether its recording, the last thing that is touched, lacks its last line."""
    record = folders.cycle(run.cycle) / "recording.jsonl"
    if not record.is_file():
        return False
    lines = record.read_bytes().split(b"\n")
    return lines[-1] != b"" or not lines[-2:][0].startswith(b'{"end"')
