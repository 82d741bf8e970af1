"""The shape of a URL rule, its own characters and its blanks, and what of a path stands in the blanks.

A regular expression tries every way to share a path out among several open blanks, and the site and its pages choose
both. Where that could be, all ways are followed at once, so that the time grows with the path alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bot.frozen import frozen

LONGEST = 8_000  # characters of a path: servers are asked for no longer one


@frozen
class Unit:
    """A character, or a class of them as an expression has it: once, many times (`+`) or perhaps (`?`)."""

    kind: str
    times: str = ""

    @property
    def pattern(self) -> str:
        """One of its characters, as an expression."""
        return self.kind if len(self.kind) > 1 else re.escape(self.kind)

    def ends(self, run: Unit) -> bool:
        """Whether a run of the other unit surely ends where this one begins."""
        return not self.times and len(self.kind) == 1 and re.fullmatch(run.pattern, self.kind) is None


Blank = tuple[Unit, ...]
SEGMENT: Blank = (Unit("[^/]", "+"),)
PATH: Blank = (Unit(r"[^\n]", "+"),)
PERHAPS_SLASH: Blank = (Unit("/", "?"),)


class Shape:
    """`pieces` are texts, which stand for themselves, and blanks."""

    def __init__(self, pieces: Sequence[str | Blank]) -> None:
        self._blanks: list[tuple[int, int]] = []
        self._units: list[Unit] = []
        pattern = ""
        for piece in pieces:
            units = tuple(map(Unit, piece)) if isinstance(piece, str) else piece
            said = "".join(f"{unit.pattern}{unit.times}" for unit in units)
            pattern += said if isinstance(piece, str) else f"({said})"
            if not isinstance(piece, str):
                self._blanks.append((len(self._units), len(self._units) + len(units)))
            self._units += units
        self._pattern = None if _shared(self._units) else re.compile(pattern)

    def filled(self, path: str) -> tuple[str, ...] | None:
        """What stands in each blank, the first as long as it can be; None where the path has another shape."""
        if len(path) > LONGEST:
            return None
        if self._pattern is not None:
            found = self._pattern.fullmatch(path)
            return found.groups() if found else None
        cuts = self._cuts(path)
        return tuple(path[cuts[first] : cuts[last]] for first, last in self._blanks) if cuts else None

    def _cuts(self, path: str) -> list[int]:
        """Where each unit begins, and the end; nothing where the path has another shape."""
        size, starts = len(path), self._starts(path)
        if not starts[0] >> size & 1:
            return []
        cuts = [0]
        for unit, fit in zip(self._units, starts[1:], strict=True):
            run = re.compile(f"{unit.pattern}{unit.times}").match(path, cuts[-1])
            most, least = run.end() if run else cuts[-1], cuts[-1] + (unit.times != "?")
            among = (fit >> (size - most)) & ((1 << (most - least + 1)) - 1)
            cuts.append(most - (among & -among).bit_length() + 1)
        return cuts

    def _starts(self, path: str) -> list[int]:
        """For each unit, and for the end, the places from which the rest fits: bit by bit, the path's end first."""
        masks = {kind: _mask(kind, path) for kind in {unit.pattern for unit in self._units}}
        found = [1]
        for unit in reversed(self._units):
            mask = masks[unit.pattern]
            here = found[-1] & mask
            if unit.times == "+":  # the carries of the sum are the rest of each run
                found.append((here + mask) ^ here ^ mask)
            else:
                found.append(here << 1 | (found[-1] if unit.times else 0))
        return found[::-1]


def _mask(kind: str, path: str) -> int:
    """A bit for each character that is of the kind, the last one's first."""
    fits = re.compile(kind).match
    return int("".join("1" if fits(one) else "0" for one in path) or "0", 2)


def _shared(units: Sequence[Unit]) -> bool:
    """Whether a run may end in many places and another run follows it."""
    runs = [at for at, unit in enumerate(units) if unit.times == "+"]
    return any(not units[at + 1].ends(units[at]) for at in runs[:-1])
