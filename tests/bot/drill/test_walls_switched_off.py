from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.demo.stage import stage
from bot.drill import Arena, Drill, arena
from bot.drill.bad.filling import FILLING
from bot.drill.bad.planting import PLANTING
from bot.drill.bad.served import SERVED
from bot.drill.bad.syscalls import SYSCALLS
from bot.drill.bad.walls import WALLS
from bot.machine.environment import Environment
from bot.settings import load
from bot.workspace import refusal
from tests.drills.walls_off import COVERED, SWITCHES, naming, tried

GATE = {"routes", "compiled"}
SAMPLE = ("git mask", "network", "seccomp calls")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    folder = tmp_path_factory.mktemp("drill")
    made = stage(folder / "stage", sys.executable, datetime.now(UTC).replace(microsecond=0))
    with arena(load(made.config), Environment(state=folder / "state"), folder / "state") as opened:
        yield opened


@pytest.mark.parametrize("check", SWITCHES)
def test_every_restriction_is_tried_by_a_drill(check: str) -> None:
    assert naming(check)


@pytest.mark.parametrize("drill", [*WALLS, *SYSCALLS, *SERVED, *FILLING], ids=lambda drill: drill.name)
def test_every_drill_of_the_sandbox_names_what_can_be_switched_off(drill: Drill) -> None:
    assert set(drill.checks) <= {*SWITCHES, *COVERED, *GATE}


@pytest.mark.parametrize("drill", PLANTING, ids=lambda drill: drill.name)
def test_every_planted_file_names_an_objection_of_scope(drill: Drill) -> None:
    assert drill.checks[0] in {*refusal._TEXTS, *GATE} or drill.checks[0].startswith("name-")


@pytest.mark.parametrize("check", SAMPLE)
def test_without_a_restriction_a_drill_gets_through_that_it_stops(place: Arena, check: str) -> None:
    first = naming(check)[0]
    assert place.run_one(first).verdict == "stopped"
    assert "survived" in {one.verdict for one in tried(place, check, at_most=1)}


def test_a_switch_is_put_back(place: Arena) -> None:
    (drill,) = naming("host name")
    tried(place, "host name")
    assert place.run_one(drill).verdict == "stopped"


def test_an_attack_that_does_not_run_proves_nothing(tmp_path: Path) -> None:
    from bot.drill.bad.attack import flooded
    from bot.drill.moves import ESCAPED, TRIED
    from bot.drill.trace import Trace

    def harm(*said: str) -> str:
        trace = Trace({}, tmp_path, tmp_path / "none")
        trace.__dict__["printed"] = "\n".join(said)
        return flooded(trace)

    assert "proves nothing" in harm("python3: command not found")
    assert "it got out" in harm(f"{ESCAPED} it got out", TRIED)
    assert "it got out" in harm(f"{ESCAPED} it got out", "[stopped: it wrote too much output]")
    assert harm(TRIED) == harm("[stopped: it used too much memory]") == ""
