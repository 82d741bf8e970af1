"""One cycle's end as one object: what `run --json` prints (DESIGN §8)."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime

from bot.errors import JournalError
from bot.journal import Journal, Run
from bot.model import Failed, Ready, Reverted, Spent
from bot.operation.past import Past

Report = dict[str, object]
CARRIED = ("exit_code", "sandbox", "model", "notice")


def report(journal: Journal, run: Run) -> Report:
    """The object for a run that has a row."""
    outcome = journal.value(run.result_type, run.result) if run.result_type and run.result else None
    ready = _ready(journal, run.cycle)
    objections = outcome.objections if isinstance(outcome, Reverted | Failed) else ()
    return {
        **_empty(run.cycle),
        "outcome": run.outcome,
        "stage": run.stage,
        "reason": run.reason,
        "stopped_by": run.stopped_by,
        "dry_run": run.dry_run,
        "objections": [asdict(one) for one in objections],
        "base": run.base,
        "tree": run.tree,
        "commit": run.commit,
        "path": list(run.path),
        "repairs": run.path.count("fix"),
        **costs(journal.spent(run.cycle)),
        "seconds": _seconds(run),
        "exit_code": run.exit_code,
        "sandbox": ready.sandbox if ready else run.sandbox,
        "model": run.model,
    }


def _ready(journal: Journal, cycle: str) -> Ready | None:
    try:
        return Past.of(journal, cycle).ready
    except JournalError:  # another version wrote its steps, in words that this one does not know
        return None


def printed(found: Report) -> Report:
    """What `run --json` promises to print and nothing else; a report also carries the exit status for the caller."""
    return {name: value for name, value in found.items() if name not in CARRIED}


def unstarted(cycle: str, outcome: str, stage: str, reason: str, dry_run: bool) -> Report:
    """The object for a firing that never got a row: the lock was held, or something broke before the first node."""
    return {**_empty(cycle), "outcome": outcome, "stage": stage, "reason": reason, "dry_run": dry_run}


def costs(spent: Spent) -> Report:
    """Model calls, tokens by kind, and money."""
    usd = None if spent.usd is None else round(spent.usd, 6)
    return {"model_calls": spent.calls, "tokens": asdict(spent.tokens), "usd": usd}


def _empty(cycle: str) -> Report:
    return {
        "schema_version": 1,
        "cycle": cycle,
        "outcome": None,
        "stage": "",
        "reason": "",
        "stopped_by": "",
        "dry_run": False,
        "objections": [],
        "base": None,
        "tree": None,
        "commit": None,
        "path": [],
        "repairs": 0,
        **costs(Spent()),
        "seconds": 0.0,
    }


def _seconds(run: Run) -> float:
    if run.ended is None:
        return 0.0
    spent = datetime.fromisoformat(run.ended) - datetime.fromisoformat(run.started)
    return max(0.0, round(spent.total_seconds(), 3))  # the clock may have been put back meanwhile
