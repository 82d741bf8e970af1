"""When two names are the same name, written otherwise: capitals, separators, punctuation and the order of words."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_KEPT = frozenset("#@%&*")
_APOSTROPHES = str.maketrans("", "", "'’ʼ")
_ARGUMENT = re.compile(r"<(?:([^<>:]*):)?[^<>:]*>")


def marks(name: str) -> frozenset[str]:
    """What the name is told by; two names are alike where they share a mark, so likeness is symmetric.

    The first mark is the name without separators, the second its words in alphabetical order. Numbers keep their
    order and their distance, for `1-11` is not `11-1`; signs that tell names apart (`c++`, `c#`) stay.
    """
    words = _words(name)
    if not words:
        return frozenset({f"={plain(name)}"})
    numbered = [word for word in words if _numbered(word)]
    sorted_words = sorted(word for word in words if not _numbered(word)) + numbered
    return frozenset({f"={_joined(words)}", f"~{' '.join(sorted_words)}"})


def title_mark(title: str) -> str:
    """The same for titles that differ in capitals, separators and punctuation alone; the order of words counts."""
    return _joined(_words(title)) or plain(title)


def rule_mark(key: str) -> str:
    """The same for URL rules that differ in capitals, `-`, `_`, a last slash or the names of arguments."""
    method, _, rest = key.partition(" ")
    parts = [_joined(_words(part)) or part for part in _ARGUMENT.sub(r"<\1>", rest).rstrip("/").split("/")]
    return f"{method} {'/'.join(parts)}"


def plain(text: str) -> str:
    """The text in small letters and one spelling, without characters that do not show."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return folded if folded.isascii() else "".join(one for one in folded if unicodedata.category(one) != "Cf")


def _words(name: str) -> list[str]:
    return "".join(" " if _separates(one) else one for one in plain(name).translate(_APOSTROPHES)).split()


@lru_cache(maxsize=4096)
def _separates(character: str) -> bool:
    return unicodedata.category(character)[0] in "ZPC" and character not in _KEPT


def _numbered(word: str) -> bool:
    return any(one.isdigit() for one in word)


def _joined(words: list[str]) -> str:
    """One after the other, a blank only where two numbers meet."""
    text = " ".join(words)
    return re.sub(r"(?<!\d) | (?!\d)", "", text)
