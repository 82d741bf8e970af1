"""validate: a second model reads the change; it can object, and only code can approve."""

from __future__ import annotations

from collections.abc import Callable

from bot.model import (
    GatePassed,
    Objection,
    Ready,
    Review,
    ReviewApproved,
    ReviewObjections,
    ReviewUnreadable,
    Snapshot,
)
from bot.ports import Agent

Brief = Callable[[Ready, Snapshot, GatePassed], tuple[str, str] | None]
AGAIN = (
    "That answer could not be read. Answer with one JSON object and nothing else: "
    '{"verdict": "approve" or "reject", "reasons": ["…"]}'
)


class Validate:
    """Speaks to a model. `brief` is None for a change too large to be shown whole; `recorded` is the verdict that this
    cycle already holds about a tree, if any."""

    def __init__(
        self,
        agent: Agent,
        brief: Brief,
        parse: Callable[[str], tuple[bool, tuple[str, ...]] | None],
        recorded: Callable[[str], Review | None],
        visit: Callable[[], int],
    ) -> None:
        self._agent, self._brief, self._parse = agent, brief, parse
        self._recorded, self._visit = recorded, visit

    def run(self, ready: Ready, snapshot: Snapshot, gate: GatePassed) -> Review:
        """Asked once more when the answer cannot be read; a tree that was reviewed is not paid for again."""
        if (earlier := self._recorded(snapshot.tree)) is not None:
            return earlier
        brief = self._brief(ready, snapshot, gate)
        if brief is None:
            return ReviewUnreadable(snapshot.tree, "the change is too large to be shown to a reviewer whole")
        answer = self._asked(*brief)
        if answer is None:
            return ReviewUnreadable(snapshot.tree, "the reviewer's answer could not be read, twice")
        approved, reasons = answer
        return ReviewApproved(snapshot.tree, reasons) if approved else _rejection(snapshot, reasons)

    def _asked(self, system: str, task: str) -> tuple[bool, tuple[str, ...]] | None:
        visit = self._visit()
        answer = self._parse(self._agent.review(system, task, visit))
        return answer or self._parse(self._agent.review(system, task, visit, AGAIN))


def _rejection(snapshot: Snapshot, reasons: tuple[str, ...]) -> ReviewObjections:
    words = reasons or ("the reviewer rejects the change and gives no reason",)
    return ReviewObjections(
        snapshot.tree, tuple(Objection("review", "validate", "", reason[:200], reason) for reason in words)
    )
