"""Values of any type as plain JSON that is equal for equal values, and what of them is an entry's key.

Read by the probe in the site's interpreter, and by the parent for what it parses itself, so that both spell an entry
alike. Standard library and Python 3.9 syntax only.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from typing import Any

DEPTH = 24
NODES = 500_000
SCALARS = (str, int, float, bool, type(None))
WITHOUT = (type, list, tuple, set, frozenset, bytes, *SCALARS)
ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def fields(value: Any) -> dict[Any, Any] | None:
    """The fields of a mapping, dataclass, named tuple or plain object; None for what has none."""
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: getattr(value, name) for name in value._fields}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in dataclasses.fields(value)}
    slots = [name for kind in type(value).__mro__ for name in _names(getattr(kind, "__slots__", ()))]
    if isinstance(value, WITHOUT) or not (slots or hasattr(value, "__dict__")):
        return None
    held = {name: getattr(value, name) for name in slots if hasattr(value, name) and not name.startswith("__")}
    held.update(getattr(value, "__dict__", {}))
    held.update(getattr(value, "__pydantic_extra__", None) or {})
    return {name: one for name, one in held.items() if name[:1] != "_" or isinstance(one, SCALARS)}


class NoKey(Exception):
    """An entry has nothing that could be its key; the text says what was looked for."""


def entry(value: Any, field: str, own: Any) -> tuple[str, str]:
    """The key of an entry, and its content as canonical JSON. `own` is the key that a mapping has for it, or None.

    Raises NoKey.
    """
    held = fields(value)
    key = _key(value, held, field, own)
    if key is None or str(key) == "":
        raise NoKey(f"an entry without the field {field!r}")
    plain = Plain()
    content = plain.mapping(held) if held is not None else plain.value(value)
    return _text(key), _text(json.dumps(content, sort_keys=True, ensure_ascii=False))


def _text(value: Any) -> str:
    """Without the halves of surrogate pairs, which no file and no database takes."""
    return str(value).encode("utf-8", "backslashreplace").decode()


def _key(value: Any, held: dict[Any, Any] | None, field: str, own: Any) -> Any:
    """By field, then by index, then by an attribute that is computed, then what the mapping says."""
    if held is not None and field in held:
        return held[field]
    if isinstance(value, (list, tuple)) and field.isdecimal() and int(field) < len(value):
        return value[int(field)]
    computed = None if isinstance(value, (Mapping, *SCALARS)) else getattr(value, field, None)
    return own if computed is None or callable(computed) else computed


def _names(slots: Any) -> tuple[str, ...]:
    return (slots,) if isinstance(slots, str) else tuple(slots)


class Plain:
    """Turns values into JSON, the same for equal values, within bounds of depth and number."""

    def __init__(self) -> None:
        self.left = NODES
        self.above: list[int] = []

    def mapping(self, held: Mapping[Any, Any]) -> dict[str, Any]:
        """As a JSON object; keys that are no text are spelt as their own JSON would be."""
        return {key if isinstance(key, str) else repr(self.value(key)): self.value(held[key]) for key in held}

    def value(self, value: Any) -> Any:
        """As JSON; what lies beyond the bounds, or within itself, is named by its type only."""
        if type(value) in SCALARS:
            return value
        self.left -= 1
        if id(value) in self.above or len(self.above) >= DEPTH or self.left < 0:
            return {"<bound>": type(value).__qualname__}
        self.above.append(id(value))
        try:
            return self._composed(value)
        finally:
            self.above.pop()

    def _composed(self, value: Any) -> Any:
        if type(value) in (list, tuple):
            return [self.value(one) for one in value]
        if isinstance(value, (set, frozenset)):
            return sorted((self.value(one) for one in value), key=lambda one: json.dumps(one, sort_keys=True))
        if type(value) is dict:
            return self.mapping(value)
        held = fields(value)
        shown = {"<type>": type(value).__module__ + "." + type(value).__qualname__}
        if callable(value) and hasattr(value, "__qualname__"):
            return {**shown, "<name>": str(value.__module__) + "." + value.__qualname__}
        if getattr(type(value), "__str__", None) is not object.__str__ or held is None:
            shown["<text>"] = ADDRESS.sub("", str(value))
        return {**shown, **self.mapping(held or {})}
