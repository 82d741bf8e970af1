"""What stands in an entry, field by field, read from its canonical JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

from bot.frozen import frozen
from bot.model import Entry, Registry
from guards.facts import URL_MAP, Facts

KEY = "(key)"
BODY = "<body>"  # what stands below a file's front matter
DEPTH = 4


@frozen
class Value:
    """One value of a field: what kind of thing it is, and its text where it has one."""

    kind: str
    text: str = ""
    items: tuple[Value, ...] = ()

    @property
    def empty(self) -> bool:
        """Whether it says nothing: no text, no item."""
        return not self.text.strip() if self.kind == "text" else not self.items and self.kind in ("list", "table")


@frozen
class Newcomer:
    """An entry that base does not have, and the entries that were there before it."""

    registry: str
    entry: Entry
    siblings: tuple[Entry, ...]

    @property
    def name(self) -> str:
        """As people call it in objections."""
        return f"{self.registry}/{self.entry.key}"


def newcomers(facts: Facts) -> Iterator[Newcomer]:
    """Every new entry of every registry that base has too; URL rules are no entries."""
    for name in facts.candidate.names:
        if name != URL_MAP and name in facts.base.names:
            old, new = facts.base.registry(name), facts.candidate.registry(name)
            for entry in _added(old, new):
                yield Newcomer(name, entry, old.entries)


def _added(old: Registry, new: Registry) -> Iterator[Entry]:
    left = Counter(one.key for one in old.entries)
    for entry in new.entries:
        if left[entry.key]:
            left[entry.key] -= 1
        else:
            yield entry


@lru_cache(maxsize=20_000)
def fields(entry: Entry) -> Mapping[str, Value]:
    """The entry's fields by name, those of tables inside as `outer.inner`; the key itself where no field holds it."""
    try:
        content = json.loads(entry.content)
    except (ValueError, RecursionError):
        content = None
    found = dict(_fields(content, "", DEPTH)) if isinstance(content, dict) else {}
    if not any(value.text == entry.key for value in found.values()):
        found[KEY] = Value("text", entry.key)
    return found


def texts(entry: Entry) -> Iterator[tuple[str, str]]:
    """Every text in the entry, with the name of its field."""
    for name, value in fields(entry).items():
        yield from ((name, text) for text in _texts(value))


def _texts(value: Value) -> Iterator[str]:
    if value.text:
        yield value.text
    for item in value.items:
        yield from _texts(item)


def _fields(table: Mapping[str, object], above: str, depth: int) -> Iterator[tuple[str, Value]]:
    for name, held in table.items():
        if name.startswith("<") and name != BODY:
            continue
        if isinstance(held, dict) and held and "<type>" not in held and depth:
            yield from _fields(held, f"{above}{name}.", depth - 1)
        else:
            yield above + name, _value(held, depth)


def _value(held: object, depth: int) -> Value:
    if isinstance(held, bool):
        return Value("truth", str(held))
    if isinstance(held, int | float):
        return Value("number", str(held))
    if isinstance(held, str):
        return Value("text", held)
    if isinstance(held, list):
        return Value("list", items=tuple(_value(one, depth - 1) for one in held) if depth else ())
    if isinstance(held, dict):
        items = tuple(_value(one, depth - 1) for name, one in held.items() if name[:1] != "<") if depth else ()
        return Value(str(held.get("<type>", "table")), str(held.get("<text>", "")), items)
    return Value("nothing")
