"""The two governors that need no model: steps in all, and wall clock."""

from __future__ import annotations

from typing import Protocol

from bot.errors import BudgetSpent


class Ticks(Protocol):
    """What the governor asks of a clock."""

    def monotonic(self) -> float:
        """Seconds that never go back."""


class Governor:
    """Bounds one run in this process: `seconds` of wall clock from now on, and `steps` nodes (None: no bound)."""

    def __init__(self, clock: Ticks, seconds: float, steps: int | None = None) -> None:
        self._clock = clock
        self._seconds = seconds
        self._steps = steps
        self._until = clock.monotonic() + seconds

    def left(self) -> float:
        """Seconds until the deadline, never below zero."""
        return max(0.0, self._until - self._clock.monotonic())

    def check(self, steps: int = 0) -> None:
        """Raises BudgetSpent (`minutes` or `steps`) where time is up or `steps` were taken already."""
        if self._steps is not None and steps >= self._steps:
            raise BudgetSpent("steps", f"{steps} steps were taken, the most that one cycle may take")
        if self.left() <= 0.0:
            minutes = self._seconds / 60
            raise BudgetSpent("minutes", f"the {minutes:g} minutes of budget.minutes are over")
