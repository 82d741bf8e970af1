"""What there is to say of an ending, and whether it is news."""

from __future__ import annotations

from bot.errors import JournalError
from bot.frozen import frozen
from bot.journal import Journal
from bot.model import Skipped
from bot.telling.report import Report

STATE = "notified-state"
TAIL = 10_000


@frozen
class Notice:
    """`event` is a word of `notify.on`; `status` the exit status; `log` the story's last 10 kB; `rid` names the firing.

    `news` is False where the same state, which needs a person, was told before.
    """

    event: str
    status: int
    title: str
    log: str
    rid: str
    report: Report
    news: bool = True


def event_of(report: Report) -> str:
    """The outcome, but `setup` for a skip that needs a person."""
    needs = report["outcome"] == "skipped" and report.get("exit_code") == 78
    return "setup" if needs else str(report["outcome"])


def is_news(journal: Journal, report: Report) -> bool:
    """Whether the state changed; what needs a person is told once, until something else comes in between."""
    state = f"setup {_code(journal, report)}" if event_of(report) == "setup" else None
    known = journal.note(STATE)
    if state != known:
        journal.set_note(STATE, state)
    return state is None or state != known


def tail(lines: list[str]) -> str:
    """The last 10 kB, cut at a line."""
    text = "\n".join(lines).encode("utf-8", "replace")
    return text[-TAIL:].decode("utf-8", "ignore") if len(text) > TAIL else text.decode()


def _code(journal: Journal, report: Report) -> str:
    """The refusal's code, since its text may hold numbers that change."""
    try:
        run = journal.run(str(report["cycle"]))
        outcome = journal.value(run.result_type or "", run.result or "")
    except JournalError:
        return str(report["reason"])
    return outcome.code if isinstance(outcome, Skipped) else str(report["reason"])
