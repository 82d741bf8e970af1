"""No guard and no part of the gate is idle: without it a drill survives. `make drill` tries all, the suite a few."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from bot.demo.stage import stage
from bot.drill import DRILLS, Arena, arena
from bot.machine.environment import Environment
from bot.settings import load
from tests.drills.covered import COVERED
from tests.drills.switches import guards, parts

SAMPLE = {"one_addition": "adds-two-entries", "tried_before": "tries-once-more", "lint": "leaves-a-violation"}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("drill")
    made = stage(folder / "stage", sys.executable, datetime.now(UTC).replace(microsecond=0))
    with arena(load(made.config), Environment(state=folder / "state"), folder / "state") as opened:
        yield opened


@pytest.mark.parametrize("check", [*guards(), *parts()])
def test_every_check_is_tried_by_a_drill(check: str) -> None:
    assert [one for one in DRILLS if check in one.checks] or check in COVERED


def test_what_is_covered_is_a_check_and_says_by_what() -> None:
    assert set(COVERED) <= {*guards(), *parts()} and all(COVERED.values())


@pytest.mark.parametrize("check", SAMPLE)
def test_without_a_check_its_drill_survives(place: Arena, check: str) -> None:
    (drill,) = (one for one in DRILLS if one.name == SAMPLE[check])
    assert check in drill.checks
    assert place.run_one(drill).verdict == "stopped"
    with {**guards(), **parts()}[check]():
        assert place.run_one(drill).verdict == "survived"
    assert place.run_one(drill).verdict == "stopped"
