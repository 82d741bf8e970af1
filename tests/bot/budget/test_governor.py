"""Steps and wall clock."""

from __future__ import annotations

import pytest

from bot.budget.governor import Governor
from bot.errors import BudgetSpent
from tests.support.toys import HandClock


def test_time_left_runs_down_to_zero_and_no_further() -> None:
    clock = HandClock()
    governor = Governor(clock, 90.0)
    clock.forward(seconds=30)
    assert governor.left() == 60.0
    clock.forward(seconds=100)
    assert governor.left() == 0.0


def test_the_deadline_itself_is_too_late() -> None:
    clock = HandClock()
    governor = Governor(clock, 90.0)
    clock.forward(seconds=89)
    governor.check()
    clock.forward(seconds=1)
    with pytest.raises(BudgetSpent, match=r"the 1\.5 minutes of budget\.minutes are over") as stopped:
        governor.check()
    assert stopped.value.stopped_by == "minutes"


def test_steps_are_bounded_only_where_a_bound_is_set() -> None:
    Governor(HandClock(), 90.0).check(10**6)
    Governor(HandClock(), 90.0, steps=3).check(2)
    with pytest.raises(BudgetSpent, match="3 steps were taken") as stopped:
        Governor(HandClock(), 90.0, steps=3).check(3)
    assert stopped.value.stopped_by == "steps"
