"""Commit trailers: how a commit says what it added, and how that is read back."""

from __future__ import annotations

import re
import unicodedata
from urllib.parse import quote, unquote

from bot.frozen import frozen

CYCLE, ADDS, REMOVES, JUDGED = "Plusone-Cycle", "Plusone-Adds", "Plusone-Removes", "Plusone-Judged"
LONGEST = 400
_LINE = re.compile(r"([A-Za-z][A-Za-z0-9-]*): (.*)")
_KEY = re.compile(r"[A-Za-z0-9_.-]+/(?:[A-Za-z0-9_.~-]|%[0-9A-F]{2})+")
_UNFIT = ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


@frozen
class Trailers:
    """What a message's last paragraph tells; empty where Plusone did not write it."""

    cycle: str = ""
    adds: tuple[str, ...] = ()
    removes: tuple[str, ...] = ()


def spell(registry: str, key: str) -> str:
    """The ledger key of an entry: `registry/key`, the key percent-encoded."""
    return f"{registry}/{quote(key, safe='')}"


def split(text: str) -> tuple[str, str]:
    """The registry and the key that `spell` was given."""
    registry, _, key = text.partition("/")
    return registry, unquote(key)


def trailers(cycle: str, adds: tuple[str, ...], judged: tuple[str, ...], removes: tuple[str, ...] = ()) -> str:
    """The last paragraph of a commit message: a line for the cycle, each ledger key and each line of evidence."""
    keys = [*((ADDS, key) for key in adds), *((REMOVES, key) for key in removes)]
    pairs = [(CYCLE, cycle), *keys, *((JUDGED, line[:LONGEST]) for line in judged)]
    return "\n".join(f"{name}: {_one_line(value)}" for name, value in pairs)


def parse(message: str) -> Trailers:
    """Reads the last paragraph only, and only if it is all trailers, begins with the cycle and names it once."""
    _, blank, paragraph = message.rstrip("\n").rpartition("\n\n")
    found = [_LINE.fullmatch(line) for line in paragraph.split("\n")]
    pairs = [(one[1], one[2]) for one in found if one]
    cycles = [value for name, value in pairs if name == CYCLE]
    if not blank or len(pairs) != len(found) or len(cycles) != 1 or pairs[0][0] != CYCLE:
        return Trailers()
    return Trailers(cycles[0], _keys(pairs, ADDS), _keys(pairs, REMOVES))


def _keys(pairs: list[tuple[str, str]], kind: str) -> tuple[str, ...]:
    return tuple(value for name, value in pairs if name == kind and _KEY.fullmatch(value))


def _one_line(text: str) -> str:
    """Without line ends, control, format and surrogate characters: none can begin a trailer of its own."""
    clean = "".join(" " if one.isspace() or unicodedata.category(one) in _UNFIT else one for one in text)
    return " ".join(clean.split())
