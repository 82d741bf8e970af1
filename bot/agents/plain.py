"""Makes foreign text fit to be read by a model: nothing hidden in it, and of bounded length."""

from __future__ import annotations

from bot.lines import printable


def inert(text: str) -> str:
    """Control, bidi and invisible characters become visible escapes; newline and tab stay, and CRLF is a newline."""
    return printable(text.replace("\r\n", "\n"))


def capped(text: str, limit: int) -> str:
    """The text, or its beginning and end around a note of how much was left out."""
    if len(text) <= limit:
        return text
    head, tail = limit * 2 // 3, limit // 3
    return f"{text[:head]}\n[... {len(text) - head - tail} characters left out ...]\n{text[-tail:]}"
