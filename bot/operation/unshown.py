"""What of the page could not be made, and why: a note for `plusone status`, until it was made again."""

from __future__ import annotations

from collections.abc import Mapping

from bot.journal import Journal
from bot.lines import shortened
from bot.machine.clock import SystemClock

PARTS = ("pictures", "files")
_NOTE = "unshown-"


def note(journal: Journal, part: str, why: str) -> None:
    """Remember that the part could not be made just now."""
    when = SystemClock().now().isoformat(timespec="minutes")
    journal.set_note(_NOTE + part, f"{when}: {shortened(why, 200)}")


def forget(journal: Journal, part: str) -> None:
    """It was made."""
    if journal.note(_NOTE + part) is not None:
        journal.set_note(_NOTE + part, None)


def unshown(journal: Journal) -> Mapping[str, str]:
    """By part, when and why it could not be made."""
    notes = {part: journal.note(_NOTE + part) for part in PARTS}
    return {part: found for part, found in notes.items() if found is not None}
