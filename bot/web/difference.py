"""A unified patch as lines that can be coloured; each keeps its sign, so that colour is never all that tells."""

from __future__ import annotations

from bot.frozen import frozen
from bot.lines import printable

MOST, WIDEST = 3000, 2000


@frozen
class Line:
    """One line of a patch: `file`, `hunk`, `added`, `removed` or `plain`."""

    kind: str
    text: str


def lines(patch: str) -> tuple[Line, ...]:
    """The patch's lines, what does not print spelt out; cut at a few thousand lines, and says so."""
    found = patch.split("\n")
    if found[-1] == "":
        found.pop()
    told, inside = [], False
    for text in found[:MOST]:
        inside = text.startswith("@@") or (inside and not text.startswith("diff --git "))
        told.append(Line(_kind(text, inside), printable(text[:WIDEST])))
    if len(found) > MOST:
        told.append(Line("file", f"… {len(found) - MOST} lines more: plusone show CYCLE --diff"))
    return tuple(told)


def _kind(text: str, inside: bool) -> str:
    if text.startswith("@@"):
        return "hunk"
    if not inside:
        return "file"
    return {"+": "added", "-": "removed"}.get(text[:1], "plain")
