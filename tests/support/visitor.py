"""A stand-in for a model at work: it does what it is told to the workspace, and says what is written down for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bot.model import Claim


@dataclass(frozen=True, slots=True)
class Said:
    """How a visit ended."""

    claim: Claim | None = None
    declined: str = ""


@dataclass
class Visitor:
    """Implements `bot.ports.Agent`. `acts` happens in each visit to a workspace; reviews answer `turns` in order."""

    acts: Callable[[], object] = lambda: None
    said: Said = Said()
    turns: Sequence[str] = ()
    heard: list[tuple[str, ...]] = field(default_factory=list)

    def build(self, system: str, task: str, workspace: Path) -> Said:
        """Act, and end as was written down."""
        self.heard.append(("build", system, task, str(workspace)))
        self.acts()
        return self.said

    def fix(self, system: str, task: str, workspace: Path, visit: int) -> Said:
        """Act, and end as was written down."""
        self.heard.append(("fix", system, task, str(workspace), str(visit)))
        self.acts()
        return self.said

    def review(self, system: str, task: str, visit: int, again: str = "") -> str:
        """The next turn; IndexError where it is asked more often than that."""
        self.heard.append(("review", system, task, str(visit), again))
        return self.turns[len(self.heard) - 1]
