"""What an outcome is called, and the exit status that the timer sees."""

from __future__ import annotations

from bot.model import Failed, Outcome, Skipped


def word(outcome: Outcome) -> str:
    """One of committed, waiting, reverted, skipped, failed."""
    return type(outcome).__name__.lower()


def exit_code(outcome: Outcome) -> int:
    """0 for every ending but a failure (its own status) and a skip that needs a person (78)."""
    match outcome:
        case Failed():
            return outcome.exit_code
        case Skipped(kind="setup"):
            return 78
        case _:
            return 0
