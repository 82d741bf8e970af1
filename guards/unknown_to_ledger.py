"""Guard: what was added was never there before, nor tried and turned down."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from bot.model import Objection
from guards.facts import Facts, adds


def unknown_to_ledger(facts: Facts) -> Iterator[Objection]:
    """Objects to a new key that the ledger knows, whatever its capitals and whichever of `-` and `_` it uses."""
    known = {_folded(key): (key, how) for key, how in facts.known.items()}
    for key in adds(facts):
        if found := known.get(_folded(key)):
            name = unquote(key.partition("/")[2])
            accept = "something that the ledger does not list"
            what = "this is known already"
            yield Objection("known", "guards", facts.place(name), key, what, f"{found[0]}: {found[1]}", accept)


def _folded(key: str) -> str:
    return unquote(key).casefold().replace("_", "-")
