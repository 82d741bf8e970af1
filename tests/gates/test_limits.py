"""How often a site may have enough of a visitor before that counts as a loss."""

from __future__ import annotations

import pytest

from gates.limits import address, tightened


@pytest.mark.parametrize(
    ("before", "now", "patient", "told"),
    [
        (0, 0, 0, False),
        (0, 1, 40, False),  # as many as base's sweep, and one request more was one too many
        (0, 1, 39, True),
        (0, 1, 0, True),
        (0, 2, 40, True),
        (3, 7, 1, False),
        (3, 8, 1, True),
    ],
)
def test_limits_may_be_met_by_what_is_new_and_not_sooner(before: int, now: int, patient: int, told: bool) -> None:
    assert bool(list(tightened(before, 40, now, patient))) is told


def test_each_move_is_to_another_address_of_this_machine() -> None:
    found = [address(moved) for moved in range(1000)]
    assert found[0] == "" and len(set(found)) == 1000
    assert all(one.startswith("127.") for one in found[1:])
