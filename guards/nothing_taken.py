"""Guard: what base holds is still there, unchanged, and reachable under its own key; its files too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import takewhile

from bot.model import Objection
from guards.facts import URL_MAP, Difference, Facts


def nothing_taken(facts: Facts) -> Iterator[Objection]:
    """Objects to each entry or URL rule that went, changed or hides behind an equal key, and to removed files.

    Another order is no matter.
    """
    for one in facts.differences:
        rules = one.name == URL_MAP
        for key in one.removed:
            what = "a URL rule was removed" if rules else "an entry was removed"
            yield _objection(facts, one, "removed", key, what)
        for key in one.edited:
            what = "the endpoint of a URL rule changed" if rules else "an entry was changed"
            yield _objection(facts, one, "edited", key, what)
        for key in one.twice:
            what = "the same key stands twice; one of the two is never reached"
            yield _objection(facts, one, "duplicate-key", key, what)
    for change in facts.snapshot.changes:
        if change.status == "deleted":
            what, accept = "a file of the site was removed", "every file of base, needed or not"
            yield Objection("file-removed", "guards", change.path, change.path, what, "deleted", accept)


ACCEPT = {
    "removed": "every entry and rule of base, as it was",
    "edited": "every entry and rule of base, as it was",
    "duplicate-key": "a new key that nothing else in the registry has",
}


def _objection(facts: Facts, one: Difference, code: str, key: str, what: str) -> Objection:
    return Objection(code, "guards", facts.place(key), f"{one.name}/{key}", what, _seen(facts, one, key), ACCEPT[code])


def _seen(facts: Facts, one: Difference, key: str) -> str:
    """Where the two contents part, for an entry that is in both; else how often the key stands."""
    old = [entry.content for entry in facts.base.registry(one.name).entries if entry.key == key]
    new = [entry.content for entry in facts.candidate.registry(one.name).entries if entry.key == key]
    gone, come = (list((Counter(a) - Counter(b)).elements()) for a, b in ((old, new), (new, old)))
    if not (gone and come):
        return f"{len(old)} at base, {len(new)} now"
    start = max(0, _parting(gone[0], come[0]) - 30)
    return f"at base …{gone[0][start : start + 80]}…, now …{come[0][start : start + 80]}…"


def _parting(old: str, new: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
