"""What may not stand in the file at all: secrets and control characters, found before anything is shown."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from bot.lines import shortened

_SECRET = re.compile(
    r"sk-ant-[\w-]*|-----BEGIN [A-Z ]*PRIVATE KEY|\bgh[opsur]_\w{20,}|\bgithub_pat_\w{20,}|\bglpat-[\w-]{16,}"
    r"|\bAKIA[0-9A-Z]{16}\b|\bxox[abprs]-[\w-]{10,}"
)
_SECRET_KEYS = {
    "api_key": "api_key_file",
    "anthropic_api_key": "api_key_file",
    "key": "api_key_file",
    "token": "token_file",
    "password": "token_file",
    "secret": "token_file",
    "private_key": "ssh_key",
}
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def unfit(table: Mapping[str, object]) -> str:
    """What is wrong with the first value that may not be here, never quoting it; an empty text when all may."""
    for place, value in _texts(table):
        where = shortened(_SECRET.sub("…", ".".join(place)))
        if _SECRET.search(value):
            return f"{where}: holds a secret; keep it in a file of mode 0600 and name that file under [credentials]"
        if (named := _SECRET_KEYS.get(place[-1].lower())) and place[0] in ("credentials", place[-1], "models"):
            return f"{where}: secrets never stand in this file; keep it in a file of mode 0600, as credentials.{named}"
        if _CONTROL.search(value):
            return f"{where}: holds a control character; take it away"
    return ""


def _texts(value: object, place: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text below, and every key, with where it stands."""
    if isinstance(value, str):
        yield place, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield (*place, key), key
            yield from _texts(item, (*place, key))
    elif isinstance(value, list | tuple):
        for number, item in enumerate(value, 1):
            yield from _texts(item, (*place[:-1], f"{place[-1]} #{number}") if place else (f"#{number}",))
