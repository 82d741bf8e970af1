"""The first page: how the site fares, what waits, what came of the last cycles, what was spent and added."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from datetime import datetime, timedelta
from itertools import takewhile

from oncalendar import OnCalendar

from bot.journal import Journal, Run
from bot.measures import spell_duration
from bot.operation.standing import standing
from bot.telling.report import Report, costs
from bot.web.site import Watched

RECENT, DAYS, ADDED = 30, 14, 20


def overview(site: Watched) -> Report:
    """The page as one object, also for `/overview.json`."""
    runs = site.journal.runs(RECENT)
    return {
        **standing(site.settings, site.journal),
        "now": site.now().isoformat(timespec="seconds"),
        "next": _next(site),
        "streak": _streak(runs),
        "counts": dict(Counter(run.outcome or "open" for run in runs)),
        "recent": [brief(site.journal, run) for run in runs],
        "days": _days(site.journal, site.now()),
        "added": added(site)[:ADDED],
    }


def brief(journal: Journal, run: Run) -> dict[str, object]:
    """One cycle on one row."""
    return {
        "cycle": run.cycle,
        "outcome": run.outcome or "open",
        "stage": run.stage,
        "reason": run.reason,
        "started": run.started,
        "seconds": seconds(run.started, run.ended),
        "usd": journal.spent(run.cycle).usd,
        "commit": run.commit,
        "dry_run": run.dry_run,
    }


def seconds(started: str, ended: str | None) -> float | None:
    """How long it took; None where it has no end."""
    if ended is None:
        return None
    return max(0.0, round((datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds(), 2))


def added(site: Watched) -> list[dict[str, object]]:
    """What the history added, newest first."""
    ledger = site.ledger
    return [asdict(one) for one in reversed(ledger.list())] if ledger else []


def _next(site: Watched) -> dict[str, object]:
    """When the configured timer fires next, by this machine's own time; whether it is installed, `doctor` tells."""
    said = site.settings.timer
    at = next(OnCalendar(said.calendar, site.now().astimezone()))
    return {
        "calendar": said.calendar,
        "at": at.isoformat(timespec="minutes"),
        "zone": at.tzname() or "",
        "jitter": spell_duration(said.jitter),
    }


def _streak(runs: tuple[Run, ...]) -> dict[str, object]:
    """The newest ending and how often it came in a row; skipped and open runs do not count."""
    ended = [run.outcome for run in runs if run.outcome and run.outcome != "skipped"]
    length = len([*takewhile(lambda outcome: outcome == ended[0], ended)])
    return {"outcome": ended[0] if ended else None, "length": length}


def _days(journal: Journal, now: datetime) -> list[dict[str, object]]:
    """What today cost, and each of the last days on which a model was asked, newest first; days are UTC."""
    days = [(now - timedelta(days=back)).date().isoformat() for back in range(DAYS)]
    spent = [(day, journal.spent_on(day)) for day in days]
    return [{"day": day, **costs(found)} for day, found in spent if found.calls or day == days[0]]
