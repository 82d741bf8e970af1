"""Guard: what was added is not there already under a name, a title or a text that says the same.

A text is told by its runs of three words. It is a sibling's when more than half of its runs stand there, those left
out that a third of the siblings share (at least three of them: the registry's own phrases). Measured: in 3,000 pairs
of package descriptions, which all speak of the same things, no text had more than 0.50 of another and 12 more than
0.30; unrelated articles had 0.03 at most; an article kept 0.72 when every tenth word was replaced, 0.54 with every
fifth. Texts of fewer than 12 runs are too short to tell. Names that are merely near are no objection.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from bot.model import Entry, Objection
from guards.alike import marks, rule_mark, title_mark
from guards.entries import Newcomer, fields, newcomers, texts
from guards.facts import URL_MAP, Facts
from guards.shingles import shingles, vocabulary

COPIED = 0.5
SPOKEN = 0.4  # of its different words: a sibling that has fewer cannot hold half of its runs
SHORTEST = 12
COMMON = 3
TITLES = ("title", "name", "headline", "heading")
Runs = frozenset[tuple[str, ...]]


def duplicates(facts: Facts) -> Iterator[Objection]:
    """Objects to a key or title that an existing one only spells otherwise, and to a text that is mostly a sibling's.

    Capitals, separators and the order of words do not make a new key; in titles and URL rules order counts.
    """
    yield from _rules(facts)
    for one in newcomers(facts):
        yield from _names(facts, one)
        yield from _titles(facts, one)
        yield from _bodies(facts, one)


def _rules(facts: Facts) -> Iterator[Objection]:
    there = {rule_mark(entry.key): entry.key for entry in facts.base.url_map.entries}
    for difference in facts.differences:
        for key in difference.added if difference.name == URL_MAP else ():
            other = there.get(rule_mark(key), key)
            if other != key:
                yield _objection(
                    facts, "duplicate-name", f"{URL_MAP}/{key}", key.partition(" ")[2], f"{other!r} is there"
                )


def _names(facts: Facts, one: Newcomer) -> Iterator[Objection]:
    mine, size = marks(one.entry.key), _size(one.entry.key)
    for sibling in one.siblings:
        may = not size or not sibling.key.isascii() or _size(sibling.key) == size
        if may and sibling.key != one.entry.key and mine & marks(sibling.key):
            yield _objection(facts, "duplicate-name", one.name, one.entry.key, f"{sibling.key!r} is there")
            return


def _size(key: str) -> int:
    """How many letters and digits, of which alike keys have as many; 0 where the spelling may change that."""
    return sum(map(str.isalnum, key)) if key.isascii() else 0


def _titles(facts: Facts, one: Newcomer) -> Iterator[Objection]:
    """Only where the siblings' own titles are all different."""
    for name, value in fields(one.entry).items():
        if name.split(".")[0].casefold() not in TITLES or value.kind != "text" or not value.text.strip():
            continue
        there = Counter(title_mark(held.text) for held in (fields(old).get(name) for old in one.siblings) if held)
        mark = title_mark(value.text)
        if there[mark] and max(there.values()) == 1:
            twin = next(
                old for old in one.siblings if name in fields(old) and title_mark(fields(old)[name].text) == mark
            )
            seen = f"{name} {value.text!r}; {twin.key!r} has {fields(twin)[name].text!r}"
            yield _objection(facts, "duplicate-title", one.name, value.text, seen)


def _bodies(facts: Facts, one: Newcomer) -> Iterator[Objection]:
    mine = _runs(one.entry)
    if len(mine) < SHORTEST:
        return
    said = {word for run in mine for word in run}
    held = {old: _runs(old) for old in one.siblings if len(said & vocabulary(old.content)) >= len(said) * SPOKEN}
    if not any(_share(mine, runs) > COPIED for runs in held.values()):
        return
    own = mine - _common(mine, one.siblings)
    if len(own) < SHORTEST:
        return
    twin = max(held, key=lambda old: _share(own, held[old]))
    if (share := _share(own, held[twin])) > COPIED:
        seen = f"{share:.0%} of its runs of three words stand in {twin.key!r}"
        yield _objection(facts, "duplicate-text", one.name, one.entry.key, seen)


def _runs(entry: Entry) -> Runs:
    return shingles(text for _, text in texts(entry))


def _share(mine: Runs, theirs: Runs) -> float:
    return len(mine & theirs) / len(mine)


def _common(mine: Runs, siblings: Sequence[Entry]) -> Runs:
    """The runs that a third of the siblings share."""
    counts = Counter(run for sibling in siblings for run in mine & _runs(sibling))
    return frozenset(run for run, number in counts.items() if number >= max(COMMON, len(siblings) / 3))


WHAT = {
    "duplicate-name": "this is there already under a name that is only spelt otherwise",
    "duplicate-title": "an entry with this title is there already",
    "duplicate-text": "most of its text is another entry's",
}


def _objection(facts: Facts, code: str, subject: str, text: str, seen: str) -> Objection:
    accept = "something that no existing entry or rule is or says"
    return Objection(code, "guards", facts.place(text), subject, WHAT[code], seen, accept)
