"""Guard: what the source spells out is what the running site holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from bot.model import Holdings, Objection
from guards.facts import Facts

ACCEPT = "an entry that stands in the source as the site holds it, as the entries of base do"


def views_agree(facts: Facts) -> Iterator[Objection]:
    """Objects to each entry of a registry that the source and the site tell differently.

    A registry whose two views part at base already, in keys or in contents, is not judged by that.
    """
    for one in facts.candidate.written:
        parted = _keys(facts.base, one.name) or _contents(facts.base, one.name)
        for key, seen in _keys(facts.candidate, one.name).items() if not _keys(facts.base, one.name) else ():
            yield _objection(facts, one.name, key, seen)
        for key, seen in _contents(facts.candidate, one.name).items() if not parted else ():
            yield _objection(facts, one.name, key, seen)


def _keys(held: Holdings, name: str) -> dict[str, str]:
    """Keys that one view has more often than the other; none where the source does not spell the registry out."""
    spelt = {one.name: one for one in held.written}
    if name not in spelt:
        return {}
    written = Counter(one.key for one in spelt[name].entries)
    living = Counter(one.key for one in held.registry(name).entries)
    parted = (written - living) + (living - written)
    return {key: f"{written[key]} in the source, {living[key]} in the running site" for key in parted}


def _contents(held: Holdings, name: str) -> dict[str, str]:
    """Entries that both views have once, with another content in each; one that is no plain literal is not judged."""
    spelt = {one.name: one for one in held.written}
    if name not in spelt:
        return {}
    living = held.registry(name).entries
    once = {key for key, count in Counter(one.key for one in living).items() if count == 1}
    contents = {one.key: one.content for one in living if one.key in once}
    parted = {
        one.key: (one.content, contents[one.key])
        for one in spelt[name].entries
        if one.content and contents.get(one.key, one.content) != one.content
    }
    return {key: f"in the source {old:.100}, in the site {new:.100}" for key, (old, new) in parted.items()}


def _objection(facts: Facts, name: str, key: str, seen: str) -> Objection:
    what = "the source says one thing of this entry, the running site another"
    return Objection("views-disagree", "guards", facts.place(key), f"{name}/{key}", what, seen, ACCEPT)
