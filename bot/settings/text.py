"""A table written as TOML, so that what `config show` prints can be read back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def as_toml(table: Mapping[str, object]) -> str:
    """The table as TOML: plain values first, then its tables and lists of tables under their own headings."""
    return "\n".join(_lines(table, ())).strip() + "\n"


def _lines(table: Mapping[str, object], place: tuple[str, ...]) -> Iterator[str]:
    for key, value in table.items():
        if not isinstance(value, dict) and not _is_tables(value):
            yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        here = (*place, key)
        heading = ".".join(map(_key, here))
        if isinstance(value, dict):
            yield f"\n[{heading}]"
            yield from _lines(value, here)
        elif isinstance(value, list) and _is_tables(value):
            for item in value:
                yield f"\n[[{heading}]]"
                yield from _lines(item, here)


def _is_tables(value: object) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(item, dict) for item in value)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _value(key)


def _value(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # which TOML forbids and JSON does not
