"""What stands in the blanks of a path: the same as a regular expression finds, however many blanks there are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model.shape import LONGEST, PATH, PERHAPS_SLASH, SEGMENT, Blank, Shape, Unit

NUMBER: Blank = (Unit("-", "?"), Unit(r"\d", "+"), Unit("."), Unit(r"\d", "+"))
PIECES = st.lists(st.sampled_from(["/", "a", "-", "1", ".", "x/", SEGMENT, PATH, NUMBER, PERHAPS_SLASH]), max_size=6)


def plainly(pieces: list[str | Blank], path: str) -> tuple[str, ...] | None:
    spelt = (
        re.escape(one) if isinstance(one, str) else f"({''.join(f'{unit.pattern}{unit.times}' for unit in one)})"
        for one in pieces
    )
    found = re.fullmatch("".join(spelt), path)
    return found.groups() if found else None


@given(PIECES, st.lists(st.text("/a-1.x\n", max_size=9), min_size=1, max_size=9))
def test_the_blanks_hold_what_a_regular_expression_finds(pieces: list[str | Blank], paths: list[str]) -> None:
    shape = Shape(pieces)
    assert [shape.filled(path) for path in paths] == [plainly(pieces, path) for path in paths]


@given(st.integers(1, 3), st.lists(st.text("/x-", max_size=9), min_size=1, max_size=9))
def test_blanks_that_share_a_path_are_each_as_long_as_can_be(number: int, paths: list[str]) -> None:
    pieces: list[str | Blank] = ["/", *(PATH, "/", SEGMENT, "-") * number, PATH]
    shape = Shape(pieces)
    assert [shape.filled(path) for path in paths] == [plainly(pieces, path) for path in paths]


@pytest.mark.parametrize(("size", "fits"), [(LONGEST, True), (LONGEST + 1, False)])
def test_a_path_longer_than_any_server_takes_has_no_shape(size: int, fits: bool) -> None:
    assert (Shape(["/", PATH]).filled("/".ljust(size, "a")) is not None) is fits
