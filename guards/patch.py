"""Reads a unified patch: which lines does it add, and where in the new file; and by what it is known again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from hashlib import sha256

from bot.model import AddedLine

_HUNK = re.compile(r"@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
_ESCAPE = re.compile(rb'\\([0-7]{3}|["\\abtnvfr])')
_PLAIN = dict(zip(b'"\\abtnvfr', b'"\\\a\b\t\n\v\f\r', strict=True))


def added_lines(patch: str) -> tuple[AddedLine, ...]:
    """Every added line with its path and number; hunks are read by their counts, so no content passes for a header."""
    return tuple(_added(patch.split("\n")))


def fingerprint(patch: str, without: Collection[str] = ()) -> str:
    """A digest of what the patch adds and takes, file by file: line numbers, context and blanks play no part.

    `without` are paths that do not count. Empty for a patch that changes no line of text.
    """
    changed = [
        f"{path}\n{mark}{' '.join(text.split())}"
        for path, mark, text in _changed(patch.split("\n"))
        if path not in without and text.strip()
    ]
    return sha256("\n".join(changed).encode(errors="replace")).hexdigest() if changed else ""


def _changed(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    """Path, `+` or `-`, and the line; of a deleted file the path that it had."""
    path, old, new = "", 0, 0
    for line in lines:
        if old > 0 or new > 0:
            mark = line[:1]
            if mark in ("+", "-"):
                yield path, mark, line[1:]
            if mark != "\\":
                old, new = old - (mark != "+"), new - (mark != "-")
        elif found := _HUNK.match(line):
            old, new = int(found[1] or 1), int(found[3] or 1)
        elif line.startswith("--- ") or (line.startswith("+++ ") and line[4:] != "/dev/null"):
            path = _path(line[4:]).removeprefix("a/")


def _added(lines: list[str]) -> Iterator[AddedLine]:
    path, number, old, new = "", 0, 0, 0
    for line in lines:
        if old > 0 or new > 0:
            mark = line[:1]
            if mark == "+":
                yield AddedLine(path, number, line[1:])
            if mark != "\\":
                old, new, number = old - (mark != "+"), new - (mark != "-"), number + (mark != "-")
        elif found := _HUNK.match(line):
            old, number, new = int(found[1] or 1), int(found[2]), int(found[3] or 1)
        elif line.startswith("+++ "):
            path = _path(line[4:])


def _path(spelt: str) -> str:
    """Git quotes unusual names as C does, and ends names with a blank in them with a tab."""
    name = spelt.removesuffix("\t")
    if len(name) > 1 and name[0] == name[-1] == '"':
        name = _ESCAPE.sub(_unescaped, name[1:-1].encode()).decode(errors="replace")
    return name.removeprefix("b/")


def _unescaped(found: re.Match[bytes]) -> bytes:
    code = found[1]
    return bytes([int(code, 8) & 0xFF if len(code) == 3 else _PLAIN[code[0]]])
