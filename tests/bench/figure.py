"""One measured number, the most that it may be, and how it is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """`limit` is None where the number is only told. `detail` says what it was made of."""

    name: str
    what: str
    measured: float
    unit: Literal["times", "ms", "s", "modules", "MB"]
    limit: float | None = None
    detail: str = ""

    @property
    def over(self) -> bool:
        """Whether it is more than it may be."""
        return self.limit is not None and self.measured > self.limit

    def row(self) -> str:
        """The number on one line, what it was made of on the next."""
        limit = "" if self.limit is None else f"at most {_number(self.limit)}"
        mark = "" if self.limit is None else "OVER" if self.over else "ok"
        told = f"{self.name:<9} {_number(self.measured):>7} {self.unit:<8}{limit:<14}{mark:<6}{self.what}"
        return f"{told}\n{'':<10}{self.detail}" if self.detail else told


def _number(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.0f}"
