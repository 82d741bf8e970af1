"""How alike two pages are in what a visitor reads, follows and fills in; the frame that all pages share left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Set

from gates.page import PageFacts

ALIKE = 0.85  # measured: other pages of three public sites reach 0.80, a form and its filled-in twin 0.91
_CONTENT = frozenset({"text", "link", "field", "form", "image", "key", "digest"})
_FORMS = frozenset({"form", "field"})

Content = Counter[tuple[str, str]]


def frame(pages: Iterable[PageFacts]) -> Set[tuple[str, str]]:
    """The parts that stand on more than half of the pages, where there are enough pages to tell."""
    found = [page for page in pages if page.status == 200]
    counts = Counter(identity for page in found for identity in {part.identity for part, _ in page.parts})
    return {identity for identity, number in counts.items() if len(found) > 3 and number * 2 > len(found)}


def content(page: PageFacts, path: str, shared: Set[tuple[str, str]]) -> Content:
    """What is the page's own; its forms lead to itself, whatever it is called."""
    kept: Content = Counter()
    for part, number in page.parts:
        if part.kind in _CONTENT and part.identity not in shared:
            own = part.kind in _FORMS and len(path) > 1
            kept[part.kind, part.value.replace(path, "·") if own else part.value] += number
    return kept


def likeness(one: Content, other: Content) -> float:
    """From 0 to 1: what both have, of all that either has; pages without content are like nothing."""
    either = sum((one | other).values())
    return sum((one & other).values()) / either if one and other else 0.0


def same(one: tuple[Content, str], other: tuple[Content, str]) -> bool:
    """Whether two pages, each with its path, say all the same; what only one has may differ in links to itself."""
    (mine, here), (theirs, there) = one, other
    return bool(mine) and nameless(mine - theirs, here) == nameless(theirs - mine, there)


def nameless(parts: Content, path: str) -> Content:
    """The parts with links to the page's own path, as those with nothing but a fragment are, under no name."""
    kept: Content = Counter()
    for (kind, value), number in parts.items():
        target, _, words = value.partition(" ")
        kept[kind, f"· {words}" if kind == "link" and target == path else value] += number
    return kept
