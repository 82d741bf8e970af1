"""Holds a site back and lets it go on: notes that the next firing reads."""

from __future__ import annotations

from datetime import datetime

from bot.journal import Journal
from bot.lines import shortened
from bot.operation.holds import PAUSED, RESUMED


def hold_back(journal: Journal, now: datetime, why: str = "") -> None:
    """Start no cycle from now on; the last reason counts."""
    since = now.isoformat(timespec="minutes")
    journal.set_note(PAUSED, f"since {since}" + (f": {shortened(why, 200)}" if why else ""))


def go_on(journal: Journal) -> None:
    """End a pause, and close the breaker: failures count from here."""
    journal.set_note(PAUSED, None)
    newest = journal.runs(1)
    if newest:
        journal.set_note(RESUMED, newest[0].cycle)
