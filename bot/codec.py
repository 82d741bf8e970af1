"""Values as plain JSON under their type's name, and back to equal values."""

from __future__ import annotations

import dataclasses
import json
from functools import cache
from typing import TYPE_CHECKING

import bot.model
from bot.errors import JournalError

if TYPE_CHECKING:
    from pydantic import TypeAdapter


def encode(value: object) -> str:
    """The JSON text of a value of `bot.model`, bytes as base64. Raises JournalError for any other type.

    Mappings keep their order: what is written from a value that was read back must be the very same text.
    """
    name = type(value).__name__
    if type(value) is not _types().get(name):
        raise JournalError(f"cannot record a {name}: it is not a value of bot.model; record one of its dataclasses")
    try:
        plain = _adapter(name).dump_python(value, mode="json", warnings="error")
        return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError as error:
        raise JournalError(f"cannot record a {name}: {_line(error)}; this is a fault of the program") from error


def decode(name: str, text: str) -> object:
    """The value that `encode` wrote under that type's name. Raises JournalError where the text is anything else."""
    if name not in _types():
        raise JournalError(f"cannot read a {name!r}: no such value type; was it written by another version?")
    try:
        value = _adapter(name).validate_json(text, strict=True)
        same = json.loads(encode(value)) == json.loads(text)
    except ValueError as error:
        raise JournalError(f"cannot read a {name}: {_line(error)}; the record is damaged") from error
    if not same:  # a field that is absent and has a default would otherwise be made up
        raise JournalError(f"cannot read a {name}: fields are missing; was it written by another version?")
    return value


@cache
def _types() -> dict[str, type]:
    found = {name: getattr(bot.model, name) for name in bot.model.__all__}
    return {name: kind for name, kind in found.items() if isinstance(kind, type) and dataclasses.is_dataclass(kind)}


@cache
def _adapter(name: str) -> TypeAdapter[object]:
    from pydantic import ConfigDict, TypeAdapter  # late: slow to import, and most commands record nothing

    config = ConfigDict(extra="forbid", ser_json_bytes="base64", val_json_bytes="base64")
    for kind in _types().values():
        # pydantic reads a plain dataclass's rules from this attribute only; the model itself knows no pydantic
        setattr(kind, "__pydantic_config__", config)  # noqa: B010
    return TypeAdapter(_types()[name])


def _line(error: ValueError) -> str:
    return " ".join(str(error).split())[:300]
