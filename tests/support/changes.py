"""Builders of changes as the guards see them: entries with contents, and files before and after."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from textwrap import dedent
from typing import Any

from bot.model import AddedLine, Change, Claim, Entry, Holdings, Objection, Registry
from guards.facts import Facts
from tests.support.holdings import BASE, facts, rule

Row = Mapping[str, Any]
Guard = Callable[[Facts], Iterator[Objection]]
CLAIM = Claim("article", "new", "One article.")


def entry(row: Row, key: str = "slug") -> Entry:
    """An entry as the probe tells it."""
    return Entry(str(row[key]), json.dumps(row, sort_keys=True, ensure_ascii=False))


def grown(old: Iterable[Row], new: Row, key: str = "slug", **more: Any) -> Facts:
    """One entry more in the registry `articles`."""
    before = tuple(entry(row, key) for row in old)
    rules = (rule("/"), rule("/articles/<slug>"))
    base = Holdings((Registry("articles", before),), rules)
    candidate = Holdings((Registry("articles", (*before, entry(new, key))),), rules)
    return facts(candidate, CLAIM, base, **more)


def written(path: str, new: str, old: str | None = None, claim: Claim = CLAIM) -> Facts:
    """One file that the agent wrote; its texts are dedented."""
    after = dedent(new)
    before = None if old is None else dedent(old)
    lines = tuple(AddedLine(path, number, text) for number, text in enumerate(after.split("\n"), 1))
    changes = (Change(path, "added" if old is None else "changed", size=len(after)),)
    return facts(BASE, claim, changes=changes, added=lines, files={path: (before, after)})


def told(guard: Guard, given: Facts) -> list[str]:
    """What the guard objects to, as `code` and subject, in order and once."""
    found = {f"{one.code}: {one.subject}" for one in guard(given)}
    assert all(one.node == "guards" and one.what and one.accept for one in guard(given))
    return sorted(found)


def codes(guard: Guard, given: Facts) -> set[str]:
    """The codes alone."""
    return {one.code for one in guard(given)}
