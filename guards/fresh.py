"""What the changed files hold that they did not hold before: old debt is no objection, and pays for no new debt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from bot.frozen import frozen
from bot.model import Objection
from guards.facts import Facts


@frozen
class Found:
    """One thing in one file: what it is called, its own text, and its line."""

    kind: str
    text: str
    line: int

    @property
    def identity(self) -> tuple[str, str]:
        """What makes it the same thing on another line."""
        return self.kind, " ".join(self.text.split())


Finder = Callable[[str, str], Iterable[Found]]


def fresh(facts: Facts, find: Finder) -> Iterator[tuple[str, Found]]:
    """What `find`, given a path and a text, finds in the new text of a file more often than in its old text."""
    for path, (old, new) in facts.files.items():
        left = Counter(one.identity for one in find(path, old)) if old is not None else Counter()
        for one in find(path, new):
            if left[one.identity]:
                left[one.identity] -= 1
            else:
                yield path, one


def objection(code: str, path: str, found: Found, what: str, accept: str) -> Objection:
    """As an objection at its line."""
    seen = " ".join(found.text.split())
    shown = seen if len(seen) <= 120 else seen[:119] + "…"
    return Objection(code, "guards", f"{path}:{found.line}", found.kind, what, shown, accept)
