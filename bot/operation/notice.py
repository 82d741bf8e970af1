"""One notice for each change of state: a site that begins to need a person, and one that is well again."""

from __future__ import annotations

from bot.journal import Journal
from bot.model import Outcome, Skipped

STATE = "needs-a-person"


def notice(journal: Journal, outcome: Outcome) -> str:
    """What is to be said aloud after this outcome; empty where nothing changed since the last firing.

    A cycle that was skipped only for now says nothing about the site, and changes nothing here.
    """
    if isinstance(outcome, Skipped) and outcome.kind == "wait":
        return ""
    before = journal.note(STATE)
    now = outcome.code if isinstance(outcome, Skipped) else None
    if now == before:
        return ""
    journal.set_note(STATE, now)
    return f"needs a person ({now}): {outcome.reason}" if now else f"no longer needs a person ({before})"
