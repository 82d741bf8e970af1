"""What other people wrote, made fit for a terminal, a journal and a model: nothing in it moves, hides or breaks."""

from __future__ import annotations

import unicodedata

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def one_line(text: str) -> str:
    """The text with blanks collapsed, and what does not print (control, bidi, surrogate) spelt as escapes."""
    return "".join(_fit(character) for character in " ".join(text.split()))


def printable(text: str) -> str:
    """Text of several lines in which only what prints, blanks, line ends and tabs are left as they are."""
    return "".join(character if character in "\n\t" else _fit(character) for character in text)


def shortened(text: str, most: int = 80) -> str:
    """One line of at most `most` characters, with an ellipsis where it was cut."""
    line = one_line(text)
    return line if len(line) <= most else line[: most - 1] + "…"


def hides(character: str) -> bool:
    """Whether the character moves, hides or breaks what is around it, or has no agreed look."""
    return unicodedata.category(character) in _HIDDEN


def spelt(character: str) -> str:
    """The character as an escape."""
    number = ord(character)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _fit(character: str) -> str:
    return spelt(character) if hides(character) else character
