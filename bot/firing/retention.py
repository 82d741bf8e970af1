"""Owns what is forgotten, and when: records older than `state.keep_days`, but nothing that anybody still waits for."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from bot.compose import Shop
from bot.errors import JournalError, PlusoneError
from bot.journal import Run
from bot.lines import one_line
from bot.machine.removal import remove
from bot.operation.holds import RESUMED

_DONE = "retained"
_STAMP = "%Y%m%dT%H%M%SZ"  # the first part of a cycle's id


def tidy(shop: Shop) -> None:
    """Forget what is old, once a UTC day. What cannot be removed is noted, for it is no fault of the cycle."""
    days = shop.settings.state.keep_days
    try:
        today = f"{shop.journal.today()}, {days} days"
        if shop.journal.note(_DONE) == today:
            return
        from bot.operation.standing import UNTIDY

        forget(shop, shop.clock.now() - timedelta(days=days))
        shop.journal.set_note(_DONE, today)
        shop.journal.set_note(UNTIDY, None)
    except (PlusoneError, OSError) as error:
        from bot.operation.standing import UNTIDY

        with suppress(JournalError):
            shop.journal.set_note(UNTIDY, one_line(str(error)))


def forget(shop: Shop, before: datetime) -> None:
    """Remove the rows, folders, refs and results of before that moment; the ledger follows from what is kept.

    A run that waits or is open keeps everything. Raises what could not be done.
    """
    from bot.operation.attempts import ALL, kept_of
    from bot.store.bare import collect
    from bot.store.damage import ASIDE

    kept = {run.cycle for run in shop.journal.runs(ALL) if _needed(run, before)}
    resumed = shop.journal.note(RESUMED) or ""  # failures count from there, and a breaker stays as it is
    for run in shop.journal.past_runs(before, shop.journal.failures_in_a_row(resumed), resumed):
        with suppress(JournalError):  # another version wrote it: only that one knows what follows from it
            shop.journal.forget(run.cycle, kept_of(shop.journal, run))
    for folder in shop.folders.cycles.iterdir():
        if _is_old(folder.name, before, kept):
            remove(folder)
    for file in shop.folders.cache.iterdir():
        facts = file.stat()
        if max(facts.st_mtime, facts.st_atime) < before.timestamp():
            file.unlink()
    for aside in shop.folders.root.glob(ASIDE):
        if aside.stat().st_mtime < before.timestamp():
            remove(aside)
    if old := [name for name in shop.store.kept("") if _is_old(name.split("/")[1], before, kept)]:
        for name in old:
            shop.store.drop(name)
        collect(shop.store.folder)


def _needed(run: Run, before: datetime) -> bool:
    return run.ended is None or run.outcome == "waiting" or datetime.fromisoformat(run.ended) >= before


def _is_old(cycle: str, before: datetime, kept: set[str]) -> bool:
    """By its id, for its rows may be gone; what no cycle is named is left alone."""
    try:
        began = datetime.strptime(cycle.partition("-")[0], _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return False
    return cycle not in kept and began < before
