"""What an outcome is called, and the exit status that the timer sees."""

from __future__ import annotations

from bot.errors import PlusoneError
from bot.lines import one_line
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


def broken(error: BaseException) -> tuple[int, str]:
    """The exit status of what broke, and its words on one line; 130 and 143 are what a shell expects of an interrupt
    and a stop."""
    status, said = error.exit_code if isinstance(error, PlusoneError) else 1, str(error)
    if isinstance(error, KeyboardInterrupt):
        status, said = 130, said or "interrupted at the keyboard"
    if isinstance(error, SystemExit) and isinstance(error.code, int):
        status = error.code or 1
    return status, one_line(said) or type(error).__name__
