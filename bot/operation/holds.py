"""Cheap reasons not to start a cycle, each asked before anything dear is gathered."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from bot.budget.meter import DayCaps
from bot.journal import Journal
from bot.model import Refused, Spent, Trigger

Hold = Callable[[Trigger], Refused | None]
PAUSED, RESUMED = "paused", "resumed-after"
APPROVED = "approved-at"  # when a consent was last carried out: the branch moved then, whatever the commit's date


def paused(journal: Journal) -> Hold:
    """While the owner has paused the site."""

    def hold(_: Trigger) -> Refused | None:
        since = journal.note(PAUSED)
        return Refused("wait", "paused", f"paused {since}; `plusone resume` goes on") if since is not None else None

    return hold


def broken(journal: Journal, failures: int) -> Hold:
    """While the last cycles all failed, until the owner resumes; `failures` in a row open the breaker."""

    def hold(_: Trigger) -> Refused | None:
        count = journal.failures_in_a_row(journal.note(RESUMED) or "")
        if count < failures:
            return None
        last = next((run for run in journal.runs(count + 50) if run.outcome == "failed"), None)
        why = f": {last.reason}" if last else ""
        return Refused(
            "setup",
            "breaker",
            f"{count} cycles failed in a row (budget.failures), the last one{why}; mend that, then `plusone resume`",
        )

    return hold


def spent(journal: Journal, caps: DayCaps) -> Hold:
    """While the day's budget is used up, over all cycles and processes."""

    def hold(trigger: Trigger) -> Refused | None:
        day = datetime.fromisoformat(trigger.started).date().isoformat()
        over = _over(journal.spent_on(day), caps)
        return Refused("wait", "budget", f"the budget of {day} (UTC) is spent: {over}") if over else None

    return hold


def _over(used: Spent, caps: DayCaps) -> str:
    pairs = (
        ("model calls", "model_calls_per_day", used.calls, caps.model_calls),
        ("tokens", "tokens_per_day", used.tokens.total, caps.tokens),
        ("USD", "usd_per_day", used.usd, caps.usd),
    )
    found = (
        f"{have:.6g} {what} of budget.{key} = {cap:.6g}"
        for what, key, have, cap in pairs
        if cap is not None and have is not None and have >= cap
    )
    return next(found, "")


def edited(checkout: Path, dirty: Callable[[Path], tuple[str, ...]]) -> Hold:
    """While a person's work lies in the live checkout: tracked files changed outside the allowed paths."""

    def hold(_: Trigger) -> Refused | None:
        paths = dirty(checkout)
        if not paths:
            return None
        named = ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
        return Refused(
            "wait", "checkout-edited", f"{checkout} has uncommitted changes in {named}; commit or put them away"
        )

    return hold
