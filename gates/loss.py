"""What a page lost that it had at base, and what of it only moved on."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from dataclasses import field

from bot.frozen import frozen
from gates.hiding import UNSEEN
from gates.page import PageFacts, count
from gates.part import Part

_NUMBER = re.compile(r"\d+")
_LOOKED = 200  # numbers of the same words that a risen one is looked for among
_COUNTED = frozenset({"text", "heading", "link", "title", "meta", "label", "data"})
_LEADING = frozenset({"link", "relation"})


@frozen
class Moves:
    """What a change may do to a page without taking: by how much numbers may rise, and where list entries may go.

    `answering` are targets that still answer; `linked` counts, for each target, the pages that link to it; `listed` are
    the parts of base's list entries, by the entries' targets.
    """

    answering: Set[str]
    linked: Mapping[str, int]
    rises: Set[int]
    listed: Mapping[str, Set[Part]] = field(default_factory=dict)


def listed(pages: Iterable[PageFacts]) -> dict[str, set[Part]]:
    """By target, what the pages say of each list entry."""
    found: dict[str, set[Part]] = defaultdict(set)
    for page in pages:
        for part, _ in page.parts:
            if part.entry:
                found[part.entry].add(part)
    return found


def lost(base: PageFacts, candidate: PageFacts, moves: Moves) -> tuple[Part, ...]:
    """The parts that base has more often than the candidate, list entries that moved on and risen numbers left out."""
    missing = _missing(base, candidate)
    if not missing:
        return ()
    moved = {part.entry for part in missing if part.entry and _moved_on(part.entry, candidate, moves)}
    if _fewer(base, candidate, moved, moves):
        moved = set()
    risen = _by_skeleton(count(candidate) - count(base))
    gone: list[Part] = []
    for part, number in missing.items():
        if part.entry not in moved:
            gone += [part] * (number - sum(_rose(part, risen, moves.rises) for _ in range(number)))
    return tuple(gone)


def words(page: PageFacts) -> int:
    """How much text the page shows, in characters."""
    return sum(len(part.value) * number for part, number in page.parts if part.kind == "text")


def _missing(base: PageFacts, candidate: PageFacts) -> dict[Part, int]:
    """How often each part is lacking; what was hidden at base may have come to be seen."""
    left = count(candidate)
    found: dict[Part, int] = {}
    for part, number in base.parts:
        for identity in (part.identity, (part.kind.removeprefix(UNSEEN), part.value)):
            kept = min(number, left[identity])
            left[identity] -= kept
            number -= kept
        if number:
            found[part] = number
    return found


def _moved_on(entry: str, candidate: PageFacts, moves: Moves) -> bool:
    """Whether a list entry's target still answers and another page still links it."""
    here = 1 if entry in candidate.links else 0
    return entry in moves.answering and moves.linked.get(entry, 0) > here


def _fewer(base: PageFacts, candidate: PageFacts, moved: Set[str], moves: Moves) -> bool:
    """Whether more entries moved on than came: a list that moves keeps its length.

    A page that base lists somewhere has come only if it says here what it says there: a name that now leads elsewhere
    is no new entry.
    """
    if not moved:
        return False
    before, now = _entries(base), _entries(candidate)
    gone = sum(max(0, before[entry] - now[entry]) for entry in moved)
    false = {part.entry for part, _ in candidate.parts if not _honest(part, moves)}
    fresh = [entry for entry in now if now[entry] > before[entry] and entry not in false]
    return gone > sum(now[entry] - before[entry] for entry in fresh)


def _honest(part: Part, moves: Moves) -> bool:
    known = moves.listed.get(part.entry)
    return not known or part.kind == "key" or part in known


def _entries(page: PageFacts) -> Counter[str]:
    """How often each list entry stands on the page: as often as its link, or as the rarest of its keys."""
    links: Counter[str] = Counter()
    keys: dict[str, int] = {}
    for part, number in page.parts:
        if part.entry and part.kind in _LEADING:
            links[part.entry] = max(links[part.entry], number)
        elif part.entry and part.kind == "key":
            keys[part.entry] = min(keys.get(part.entry, number), number)
    return links | Counter(keys)


def _by_skeleton(parts: Counter[tuple[str, str]]) -> dict[tuple[str, str], list[tuple[int, ...]]]:
    found: dict[tuple[str, str], list[tuple[int, ...]]] = defaultdict(list)
    for (kind, value), number in parts.items():
        found[kind, _NUMBER.sub("#", value)] += [_numbers(value)] * number
    return found


def _rose(part: Part, risen: dict[tuple[str, str], list[tuple[int, ...]]], rises: Set[int]) -> bool:
    """Whether the candidate has the part with numbers risen by exactly what was added; each such part serves once."""
    before = _numbers(part.value)
    if part.kind.removeprefix(UNSEEN) not in _COUNTED or not before:
        return False
    others = risen.get((part.kind, _NUMBER.sub("#", part.value)), [])
    for now in others[:_LOOKED]:
        if now != before and all(
            after - number in rises or after == number for number, after in zip(before, now, strict=True)
        ):
            others.remove(now)
            return True
    return False


def _numbers(value: str) -> tuple[int, ...]:
    return tuple(int(number[:18]) for number in _NUMBER.findall(value))
