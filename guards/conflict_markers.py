"""Guard: no half of a merge is left in a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model import Objection
from guards.facts import Facts
from guards.fresh import Found, fresh, objection

_SIDES = re.compile(r"(?:<{7}|>{7}|\|{7})(?: |$)")
_MIDDLE = "======="


def conflict_markers(facts: Facts) -> Iterator[Objection]:
    """Objects to lines that begin as a merge marks its sides; a line of `=` alone only between two of those.

    An indented marker, as an article about merging shows one, is text.
    """
    for path, found in fresh(facts, _markers):
        what = "a conflict marker was added"
        yield objection("conflict-marker", path, found, what, "the lines that are meant, without markers")


def _markers(_: str, text: str) -> Iterator[Found]:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    sides = [number for number, line in enumerate(lines, 1) if _SIDES.match(line)]
    for number, line in enumerate(lines, 1):
        between = sides and sides[0] < number < sides[-1]
        if number in sides or (line == _MIDDLE and between):
            yield Found(line[:7], line, number)
