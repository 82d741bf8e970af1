"""YAML as plain values, made from the parser's events: no objects, no tags of its own, no bombs of aliases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import yaml

DEPTH, NODES = 64, 4_000_000
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OURS = "tag:yaml.org,2002:"
_RESOLVERS = yaml.SafeLoader.yaml_implicit_resolvers
_NUMBERS = yaml.constructor.SafeConstructor()
_MERGE = object()


class Unreadable(Exception):
    """The text cannot be read; `line` counts from 1, 0 where it is not known."""

    def __init__(self, what: str, line: int = 0) -> None:
        super().__init__(what)
        self.what, self.line = what, line


class Mapped(dict[object, object]):
    """A mapping in which a key stands twice: as a dict the last one holds, `pairs` are all of them."""

    def __init__(self, pairs: Iterable[tuple[object, object]]) -> None:
        self.pairs = tuple(pairs)
        super().__init__(self.pairs)

    @property
    def twice(self) -> set[object]:
        """The keys that stand more than once."""
        return {key for key, count in Counter(key for key, _ in self.pairs).items() if count > 1}


def mapping(pairs: Iterable[tuple[object, object]]) -> dict[object, object]:
    """A plain dict, or a `Mapped` where a key stands twice."""
    given = list(pairs)
    held = dict(given)
    return held if len(held) == len(given) else Mapped(given)


def read_yaml(text: str) -> object:
    """The only document of the text. Raises Unreadable."""
    try:
        return _Document().build(yaml.parse(text, Loader=_LOADER))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        what = getattr(error, "problem", None) or str(error)
        raise Unreadable(" ".join(str(what).split()), mark.line + 1 if mark else 0) from error


@dataclass(slots=True)
class _Open:
    """A list or a mapping that has begun; of a mapping, `items` are keys and values by turns."""

    is_mapping: bool
    anchor: str | None
    before: int
    items: list[object] = field(default_factory=list)


class _Document:
    def __init__(self) -> None:
        self._open: list[_Open] = [_Open(False, None, 0)]
        self._anchors: dict[str, tuple[object, int] | None] = {}
        self._count = 0

    def build(self, events: Iterator[yaml.Event]) -> object:
        for event in events:
            try:
                self._take(event)
            except (ValueError, IndexError, OverflowError, Unreadable) as error:
                line = event.start_mark.line + 1 if event.start_mark else 0
                raise Unreadable(str(error), line) from error
        values = self._open[0].items
        if len(values) > 1:
            raise Unreadable("holds more than one document")
        return values[0] if values else None

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._count += 1
            self._put(_scalar(event), event.anchor, 1)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event.anchor or "")
        elif isinstance(event, yaml.MappingStartEvent | yaml.SequenceStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.MappingEndEvent | yaml.SequenceEndEvent):
            done = self._open.pop()
            self._count += 1
            value = _merged(done.items) if done.is_mapping else done.items
            self._put(value, done.anchor, self._count - done.before)

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        if event.tag not in (None, "!", _OURS + "map", _OURS + "seq"):
            raise Unreadable(f"has the tag {event.tag}, which is not read")
        if len(self._open) > DEPTH:
            raise Unreadable(f"is nested more than {DEPTH} deep")
        if event.anchor:
            self._anchors[event.anchor] = None
        self._open.append(_Open(isinstance(event, yaml.MappingStartEvent), event.anchor, self._count))

    def _alias(self, anchor: str) -> None:
        held = self._anchors.get(anchor)
        if held is None:
            raise Unreadable(f"the alias *{anchor} stands for nothing, or for what it stands in")
        self._count += held[1]  # as much as what it stands for, however often it does
        self._put(held[0], None, held[1])

    def _put(self, value: object, anchor: str | None, weight: int) -> None:
        if self._count > NODES:
            raise Unreadable(f"holds more than {NODES} values")
        if anchor:
            self._anchors[anchor] = (value, weight)
        into = self._open[-1]
        is_key = into.is_mapping and len(into.items) % 2 == 0
        if is_key and isinstance(value, dict | list):
            raise Unreadable("has a key that is a list or a mapping")
        into.items.append("<<" if value is _MERGE and not is_key else value)


def _merged(items: list[object]) -> dict[object, object]:
    """Keys with values; what `<<` brings in yields to what is written beside it, and is no repeated key."""
    pairs = list(zip(items[::2], items[1::2], strict=True))
    own = [(key, value) for key, value in pairs if key is not _MERGE]
    brought: dict[object, object] = {}
    for _, value in (pair for pair in pairs if pair[0] is _MERGE):
        for one in value if isinstance(value, list) else [value]:
            if not isinstance(one, dict):
                raise Unreadable("merges what is no mapping")
            brought = {**one, **brought}
    written = {key for key, _ in own}
    return mapping([*((key, value) for key, value in brought.items() if key not in written), *own])


def _scalar(event: yaml.ScalarEvent) -> object:
    """Dates stay text; numbers, truth and nothing are what YAML says they are."""
    tag, text = event.tag, event.value
    if tag in (None, "!"):
        tag = _resolved(text) if tag is None and event.implicit[0] else _OURS + "str"
    match tag.removeprefix(_OURS):
        case "str" | "timestamp" | "binary" | "value":
            return text
        case "null":
            return None
        case "merge":
            return _MERGE
        case "bool":
            return _bool(text)
        case "int":
            return _NUMBERS.construct_yaml_int(yaml.ScalarNode(tag, text))
        case "float":
            return _NUMBERS.construct_yaml_float(yaml.ScalarNode(tag, text))
        case _:
            raise Unreadable(f"has the tag {tag}, which is not read")


def _bool(text: str) -> bool:
    found = yaml.SafeLoader.bool_values.get(text.lower())
    if found is None:
        raise Unreadable(f"says {text[:40]!r} where it promises true or false")
    return bool(found)


def _resolved(text: str) -> str:
    for tag, pattern in _RESOLVERS.get(text[:1], []):
        if pattern.match(text):
            return str(tag)
    return _OURS + "str"
