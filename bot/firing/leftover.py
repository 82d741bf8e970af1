"""Owns what a died process left open: the run that this firing finishes, and the end of what nobody can finish."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta

from bot.compose import Shop
from bot.errors import JournalError, PlusoneError
from bot.firing.aftermath import trigger_of
from bot.firing.landing import landed
from bot.journal import Run
from bot.machine.removal import remove
from bot.model import Failed
from bot.operation.past import Past
from bot.settings import digest
from bot.telling.report import report

OLDEST = timedelta(days=1)


def leftover(shop: Shop) -> Run | None:
    """The run that a died process left and this firing finishes; one that nobody can finish is closed as failed.

    A run is finished only as it was begun: never a dry run by a wet one, nor with another model.
    """
    for run in shop.journal.open_runs():
        if why := unfit(shop, run):
            _give_up(shop, run, why)
        elif run.dry_run == shop.trigger.dry_run and run.model == str(shop.choice):
            return run
    return None


def _give_up(shop: Shop, run: Run, why: str) -> None:
    """Close it as failed, unless its commit is on the branch; its snapshots stay under their refs, its folder goes."""
    shop.journal.take_over(run.cycle)
    try:
        past = Past.of(shop.journal, run.cycle)
    except JournalError:  # another program wrote it, in words that this one does not know
        past = Past(run.path[-1] if run.path else "precheck")
    done = None
    with suppress(PlusoneError):  # where the remote cannot be asked now, a later firing makes it good
        done = landed(shop, run)
    outcome = done or Failed(past.node, why, "resume", tree=past.tree)
    shop.journal.close(run.cycle, outcome, stage=past.node, base=past.base)
    remove(shop.folders.cycle(run.cycle) / "workspace")
    _finish(shop, run.cycle)


def _finish(shop: Shop, cycle: str) -> None:
    """The last line of its recording, which says how it ended."""
    record = shop.folders.cycle(cycle) / "recording.jsonl"
    if record.exists():
        from bot.agents.recording import Recording  # late: seldom needed

        Recording(record, shop.redaction.plain).finish(report(shop.journal, shop.journal.run(cycle)))


def unfit(shop: Shop, run: Run) -> str:
    """Why a run that died cannot be finished; empty where it can."""
    if run.graph != shop.graph.hash:
        return f"the program was changed meanwhile: graph {run.graph[:12]} is now {shop.graph.hash[:12]}"
    if run.config != digest(shop.settings):
        return "the configuration was changed meanwhile"
    if shop.clock.now() - datetime.fromisoformat(run.started) > OLDEST:
        return f"its process died more than a day ago; it began at {run.started[:16]} UTC"
    try:
        past, _ = Past.of(shop.journal, run.cycle), trigger_of(shop, run)
    except JournalError as error:
        return f"its record cannot be followed: {error}"
    if past.base is None or past.node == "commit":
        return ""  # commit itself asks the remote whether it is done
    tip = shop.store.fetch(shop.settings.site.branch)
    return "" if past.base == tip else f"the branch moved from {past.base[:12]} to {tip[:12]} meanwhile"
