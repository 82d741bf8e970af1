"""Front matter: the fields at the head of a text file, between lines of `---` (YAML) or `+++` (TOML), and its body."""

from __future__ import annotations

import re

from bot.sources.structure import read
from bot.sources.yaml_text import Unreadable

_FENCES = {"---": ("yaml", ("---", "...")), "+++": ("toml", ("+++",))}
_FENCE = re.compile(r"(?:---|\+\+\+|\.\.\.)[ \t]*")


def split(text: str) -> tuple[dict[object, object], str]:
    """The fields and the body; a file that does not begin with a fence is all body.

    Raises Unreadable, its line counted from the file's first, where the fence has no end or the fields are no mapping.
    """
    lines = text.split("\n")
    kind, ends = _FENCES.get(_fence(lines[0]), ("", ()))
    if not kind:
        return {}, text
    end = next((at for at, line in enumerate(lines) if at and _fence(line) in ends), 0)
    if not end:
        raise Unreadable(f"the front matter has no closing {lines[0].strip()}", 1)
    return _fields(kind, "".join(f"{line}\n" for line in lines[1:end])), "\n".join(lines[end + 1 :])


def _fence(line: str) -> str:
    return line.rstrip() if _FENCE.fullmatch(line) else ""


def _fields(kind: str, text: str) -> dict[object, object]:
    try:
        held = read(kind, text)
    except Unreadable as error:
        raise Unreadable(error.what, error.line + 1 if error.line else 1) from error
    if held is None:
        return {}
    if not isinstance(held, dict):
        raise Unreadable("the front matter is no mapping of fields", 1)
    return held
