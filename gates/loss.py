"""What a page lost that it had at base, and what of it only moved on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Set
from dataclasses import dataclass

from gates.page import PageFacts, count
from gates.part import Part

_NUMBER = re.compile(r"\d+")
_COUNTED = frozenset({"text", "heading", "link", "title"})


@dataclass(frozen=True, slots=True)
class Moves:
    """What a change may do to a page without taking: by how much numbers may rise, and where list entries may go.

    `answering` are targets that still answer; `linked` counts, for each target, the pages that link to it.
    """

    answering: Set[str]
    linked: Mapping[str, int]
    rises: Set[int]


def lost(base: PageFacts, candidate: PageFacts, moves: Moves) -> tuple[Part, ...]:
    """The parts that base has more often than the candidate, list entries that moved on and risen numbers left out."""
    left, extra = count(candidate), count(candidate) - count(base)
    risen = _by_skeleton(extra)
    gone: list[Part] = []
    for part, number in base.parts:
        kept = min(number, left[part.identity])
        left[part.identity] -= kept
        missing = number - kept
        if missing and not _moved_on(part, candidate, moves):
            gone += [part] * (missing - sum(_rose(part, risen, moves.rises) for _ in range(missing)))
    return tuple(gone)


def words(page: PageFacts) -> int:
    """How much text the page shows, in characters."""
    return sum(len(part.value) * number for part, number in page.parts if part.kind == "text")


def _moved_on(part: Part, candidate: PageFacts, moves: Moves) -> bool:
    """A list entry whose target still answers and that another page still links."""
    here = 1 if part.entry in candidate.links else 0
    return bool(part.entry) and part.entry in moves.answering and moves.linked.get(part.entry, 0) > here


def _by_skeleton(parts: Counter[tuple[str, str]]) -> dict[tuple[str, str], list[tuple[int, ...]]]:
    found: dict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
    for (kind, value), number in parts.items():
        found[kind, _NUMBER.sub("#", value)] += [_numbers(value)] * number
    return found


def _rose(part: Part, risen: dict[tuple[str, str], list[tuple[int, ...]]], rises: Set[int]) -> bool:
    """Whether the candidate has the part with numbers risen by exactly what was added; each such part serves once."""
    before = _numbers(part.value)
    if part.kind not in _COUNTED or not before:
        return False
    others = risen.get((part.kind, _NUMBER.sub("#", part.value)), [])
    for now in others:
        steps = {after - number for number, after in zip(before, now, strict=True)} - {0}
        if steps and steps <= rises:
            others.remove(now)
            return True
    return False


def _numbers(value: str) -> tuple[int, ...]:
    return tuple(int(number[:18]) for number in _NUMBER.findall(value))
