"""Guard: what was added was never there before, nor tried and turned down."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from bot.model import Objection
from guards.alike import marks, rule_mark
from guards.facts import URL_MAP, Facts, adds


def unknown_to_ledger(facts: Facts) -> Iterator[Objection]:
    """Objects to a new key that the ledger knows, whatever its capitals, its separators and the order of its words."""
    known = {mark: (key, how) for key, how in facts.known.items() for mark in _marks(key)}
    for key in adds(facts):
        if found := next((known[mark] for mark in _marks(key) if mark in known), None):
            name = unquote(key.partition("/")[2])
            accept = "something that the ledger does not list"
            what = "this is known already"
            yield Objection("known", "guards", facts.place(name), key, what, f"{found[0]}: {found[1]}", accept)


def _marks(key: str) -> list[str]:
    """What the key is told by, within its registry; in a URL rule the order of words counts."""
    registry, _, name = key.partition("/")
    told = {rule_mark(unquote(name))} if registry == URL_MAP else marks(unquote(name))
    return [f"{registry.casefold()}/{mark}" for mark in sorted(told)]
