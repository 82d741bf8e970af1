"""The bench tells what it measured, and says no where that is over its limit."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.bench.figure import Figure
from tests.bench.timing import Pair, paired


@pytest.mark.parametrize(("measured", "limit", "over"), [(2.01, 2.0, True), (2.0, 2.0, False), (99.0, None, False)])
def test_a_number_over_its_limit_is_over(measured: float, limit: float | None, over: bool) -> None:
    figure = Figure("gate", "something", measured, "times", limit)
    assert figure.over is over
    assert ("OVER" in figure.row()) is over


def test_rounds_are_compared_one_by_one_so_that_a_busy_moment_meets_both() -> None:
    pair = Pair((2.0, 200.0, 2.0), (1.0, 100.0, 1.0))
    assert (pair.times, pair.added) == (2.0, 1.0)


def test_the_first_run_of_each_side_does_not_count() -> None:
    called: list[str] = []
    pair = paired(2, lambda: called.append("ours"), lambda: called.append("theirs"))
    assert called == ["ours", "theirs"] * 3
    assert len(pair.ours) == len(pair.theirs) == 2


def test_a_bench_prints_one_object() -> None:
    command = [sys.executable, "-m", "tests.bench", "engine", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    (figure,) = json.loads(done.stdout)["figures"]
    assert figure["name"] == "engine"
    assert done.returncode == int(figure["over"])


def test_a_bench_that_does_not_exist_is_wrong_usage() -> None:
    done = subprocess.run([sys.executable, "-m", "tests.bench", "none"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "there are sandbox" in done.stderr
