"""Text in YAML, JSON or TOML as plain values: bounded, never run, and with what stands twice kept twice."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable
from datetime import date, datetime, time

from bot.sources.yaml_text import Mapped, Unreadable, mapping, read_yaml

DEPTH = 20
_AT = re.compile(r" \(at line (\d+), column \d+\)")
Repeat = "<again>"


def read(kind: str, text: str) -> object:
    """The value that the text holds; a mapping in which a key stands twice is a `Mapped`. Raises Unreadable."""
    try:
        return {"yaml": read_yaml, "json": _json, "toml": _toml}[kind](text)
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error


def settled(value: object, depth: int = 0) -> object:
    """The same in JSON's own types: dates as text, and each mapping with repeated keys says so under `<again>`.

    Raises Unreadable where it is nested more than DEPTH deep.
    """
    if depth > DEPTH:
        raise Unreadable(f"is nested more than {DEPTH} deep")
    if isinstance(value, dict):
        held = {key: settled(one, depth + 1) for key, one in value.items()}
        return {**held, Repeat: sorted(map(str, value.twice))} if isinstance(value, Mapped) else held
    if isinstance(value, list):
        return [settled(one, depth + 1) for one in value]
    return value.isoformat() if isinstance(value, date | datetime | time) else value


def _json(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_pairs)
    except json.JSONDecodeError as error:
        raise Unreadable(error.msg, error.lineno) from error
    except ValueError as error:  # a number of more digits than Python reads
        raise Unreadable(str(error)) from error


def _pairs(pairs: list[tuple[str, object]]) -> dict[object, object]:
    widened: Iterable[tuple[object, object]] = pairs
    return mapping(widened)


def _toml(text: str) -> object:
    """TOML itself refuses a key that stands twice."""
    try:
        return tomllib.loads(text)
    except ValueError as error:
        found = _AT.search(str(error))
        raise Unreadable(_AT.sub("", str(error)), int(found[1]) if found else 0) from error
