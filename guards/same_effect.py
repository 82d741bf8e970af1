"""Whether a new page is an existing one under another name, told by what both show.

A page is the number of times that each part (kind and value, as `text`, `link`, `field`) stands on it. What more than
half of the existing pages have in common is the site's frame, which says nothing; nor do titles and headings, for they
are what another name changes. The rest is compared by its words: the share of both pages that is common to both.
Measured over the 42 pages of the demo's site: no two pages share more than 0.41, a renamed copy shares 1.0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

NEARLY = 0.9
LEAST = 20
FRAME = 4
_NAMES = ("title", "heading", "meta", "relation")
Part = tuple[str, str]
Parts = Mapping[Part, int]


class Twin(NamedTuple):
    """An existing page, and the share of it and the new page that both have, 0 to 1."""

    page: str
    share: float


def twin(new: Parts, pages: Mapping[str, Parts]) -> Twin | None:
    """The existing page that the new one nearly is, if any; a page with fewer than 20 words of its own has no twin."""
    common = frame(pages.values()) if len(pages) >= FRAME else Counter()
    own = _without(new, common)
    if sum(_weight(part) * number for part, number in own.items()) < LEAST:
        return None
    best = max((Twin(name, share(own, _without(parts, common))) for name, parts in pages.items()), default=None,
               key=lambda one: one.share)  # fmt: skip
    return best if best and best.share >= NEARLY else None


def share(one: Parts, other: Parts) -> float:
    """How much of two pages is common to both, by words, 0 to 1; two empty pages have nothing in common."""
    both = Counter(one) & Counter(other)
    either = Counter(one) | Counter(other)
    whole = sum(_weight(part) * number for part, number in either.items())
    return sum(_weight(part) * number for part, number in both.items()) / whole if whole else 0.0


def frame(pages: Iterable[Parts]) -> Counter[Part]:
    """What more than half of the pages have, as often as at least half of them have it."""
    held: dict[Part, list[int]] = {}
    total = 0
    for parts in pages:
        total += 1
        for part, number in parts.items():
            held.setdefault(part, []).append(number)
    return Counter({part: min(counts) for part, counts in held.items() if len(counts) * 2 > total})


def _without(parts: Parts, common: Counter[Part]) -> Counter[Part]:
    """The page's own words: neither the frame nor its title and headings, nor their words as text."""
    names = {value for kind, value in parts if kind in _NAMES}
    own = {part: number for part, number in parts.items() if part[0] not in _NAMES}
    kept = {
        part: number for part, number in own.items() if not (part[0] == "text" and any(part[1] in one for one in names))
    }
    return Counter(kept) - common


def _weight(part: Part) -> int:
    """A text counts by its words, anything else as one."""
    return max(1, len(part[1].split())) if part[0] == "text" else 1
