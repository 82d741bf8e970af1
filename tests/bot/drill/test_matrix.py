"""The matrix that a drill prints."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.drill.matrix import WIDTH, matrix, row, table
from tests.support.drilled import BASE, result

RESULTS = (
    result("a-page", "passed", good=True, by="commit"),
    result("adds-two", "stopped", by="guards: too-many"),
    result("adds-an-entry", "not here", why="no registry can be added to"),
    result("a-feed", "wrongly stopped", good=True, by="gate: lint"),
    result("forks", "broken", by="", why="the sandbox cannot be opened"),
    result("forges", "survived", by="commit"),
)


def test_what_went_wrong_comes_first_and_in_full() -> None:
    lines = list(matrix(RESULTS))
    names = [line.split()[0] for line in lines if line and not line.startswith((" ", "bad builders"))]
    assert names == ["forges", "forks", "a-feed", "adds-two", "a-page", "adds-an-entry"]
    assert lines[1] == "    the story of forges: the reason of forges"
    assert "SURVIVED" in lines[0] and "WRONGLY STOPPED" in lines[4]


def test_what_does_not_apply_is_told_with_its_reason_and_counted_apart() -> None:
    *_, line, blank, total = matrix(RESULTS)
    assert "not here" in line and "no registry can be added to" in line and blank == ""
    assert total == "bad builders: 1 of 3 stopped; good ones: 1 of 2 passed; 1 do not apply here"


def test_the_object_says_the_same() -> None:
    found = json.loads(json.dumps(table("harbour", BASE, RESULTS)))
    assert found["schema_version"] == 1
    assert (found["stopped"], found["survived"], found["broken"], found["wrongly_stopped"]) == (1, 1, 1, 1)
    assert found["survivors"] == ["forges", "forks"]
    assert found["drills"][0]["name"] == "forges"
    assert found["drills"][-1]["why"] == "no registry can be added to"


@given(st.text(max_size=200), st.text(max_size=200))
def test_a_row_is_one_line_that_fits_a_terminal(by: str, why: str) -> None:
    line = row(result("claims-another-key-than-it-adds", "stopped", by=by, why=why), 31)
    assert len(line) <= WIDTH and line.isprintable()
