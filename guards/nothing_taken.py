"""Guard: what base holds is still there, unchanged, and reachable under its own key."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from bot.model import Objection
from guards.facts import URL_MAP, Difference, Facts


def nothing_taken(facts: Facts) -> Iterator[Objection]:
    """Objects to each entry or URL rule that went, changed, moved among its fellows or hides behind an equal key."""
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
        if one.moved:
            yield _objection(facts, one, "moved", "", "entries changed their order")


ACCEPT = {
    "removed": "every entry and rule of base, as it was",
    "edited": "every entry and rule of base, as it was",
    "duplicate-key": "a new key that nothing else in the registry has",
    "moved": "the entries of base in their old order, with the new one between, before or after them",
}


def _objection(facts: Facts, one: Difference, code: str, key: str, what: str) -> Objection:
    subject = f"{one.name}/{key}" if key else one.name
    where, seen = (facts.place(key), _seen(facts, one, key)) if key else ("", "")
    return Objection(code, "guards", where, subject, what, seen, ACCEPT[code])


def _seen(facts: Facts, one: Difference, key: str) -> str:
    """Where the two contents part, for an entry that is in both; else how often the key stands."""
    old = [entry.content for entry in facts.base.registry(one.name).entries if entry.key == key]
    new = [entry.content for entry in facts.candidate.registry(one.name).entries if entry.key == key]
    if not (old and new) or old[0] == new[0]:
        return f"{len(old)} at base, {len(new)} now"
    start = max(0, _parting(old[0], new[0]) - 30)
    return f"at base …{old[0][start : start + 80]}…, now …{new[0][start : start + 80]}…"


def _parting(old: str, new: str) -> int:
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
