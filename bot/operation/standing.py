"""How a site fares: its last cycles, what the day has cost, and what holds the next cycle back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict

from bot.journal import Journal, Run
from bot.lines import shortened
from bot.machine.clock import SystemClock
from bot.notify import undelivered
from bot.operation.consent import expires, given
from bot.operation.holds import PAUSED, RESUMED
from bot.operation.unshown import unshown
from bot.settings import Settings
from bot.telling.report import Report, costs

LAST = 5
UNTIDY = "untidy"  # the note of what could not be removed


def standing(settings: Settings, journal: Journal) -> Report:
    """One object; `holds` are reasons for which the next firing would be refused before anything is fetched."""
    day = SystemClock().now().date().isoformat()
    failures = journal.failures_in_a_row(journal.note(RESUMED) or "")
    return {
        "schema_version": 1,
        "site": settings.site.name,
        "branch": settings.site.branch,
        "paused": journal.note(PAUSED),
        "failures_in_a_row": failures,
        "breaker_open": failures >= settings.budget.failures,
        "waiting": [_waits(settings, journal, run) for run in journal.waiting_runs()],
        "unfinished": [run.cycle for run in journal.open_runs()],
        "day": day,
        "spent": costs(journal.spent_on(day)),
        "caps": {"usd": settings.budget.usd_per_day, "tokens": settings.budget.tokens_per_day},
        "sandbox": settings.sandbox.mode,
        "undelivered": dict(undelivered(journal)),
        "untidy": journal.note(UNTIDY),
        "unshown": dict(unshown(journal)),
        "runs": [_brief(run) for run in journal.runs(LAST)],
    }


def told(found: Report) -> Iterator[str]:
    """The same for people."""
    yield f"{found['site']}, branch {found['branch']}"
    if found["paused"]:
        yield f"  paused {found['paused']}; `plusone resume` goes on"
    if found["breaker_open"]:
        yield f"  the breaker is open: {found['failures_in_a_row']} cycles failed in a row; `plusone resume` closes it"
    waiting = found["waiting"]
    for run in waiting if isinstance(waiting, list) else ():
        yield f"  {run['cycle']} waits until {run['until']}; `plusone approve` or `reject` it"
    unfinished = found["unfinished"]
    for cycle in unfinished if isinstance(unfinished, list) else ():
        yield f"  {cycle} has no end: it is running, or its process died and `plusone run` finishes it"
    if found["sandbox"] != "auto":
        yield f"  WITHOUT SANDBOX: sandbox.mode is {found['sandbox']}"
    unsaid = found["undelivered"]
    for channel, why in unsaid.items() if isinstance(unsaid, dict) else ():
        yield shortened(f"  notify.{channel} did not get through, {why}")
    if found["untidy"]:
        yield shortened(f"  old records could not be removed: {found['untidy']}")
    unmade = found["unshown"]
    for part, why in unmade.items() if isinstance(unmade, dict) else ():
        yield shortened(f"  the page's {part} could not be made, {why}")
    spent = found["spent"]
    if isinstance(spent, dict):
        money = "price unknown" if spent["usd"] is None else f"{spent['usd']:.4f} USD"
        yield f"  today ({found['day']} UTC): {spent['model_calls']} model calls, {money}"
    runs = found["runs"]
    for run in runs if isinstance(runs, list) else ():
        yield shortened(f"{run['cycle']:<22} {run['outcome']:<10} {run['reason']}")


def _waits(settings: Settings, journal: Journal, run: Run) -> dict[str, object]:
    """A run that waits, and what was said about it and not carried out yet."""
    consent = given(journal, run.cycle)
    until = expires(run, settings.cycle.approve_expires).isoformat(timespec="minutes")
    return {**_brief(run), "until": until, "consent": asdict(consent) if consent else None}


def _brief(run: Run) -> dict[str, object]:
    return {
        "cycle": run.cycle,
        "outcome": run.outcome or "open",
        "stage": run.stage,
        "reason": run.reason or "",
        "commit": run.commit,
        "dry_run": run.dry_run,
    }
