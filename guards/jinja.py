"""Jinja templates as the guards read them: what is code and what is comment. Nothing is rendered."""

from __future__ import annotations

import re
from collections.abc import Iterator

_PIECE = re.compile(
    r"(?P<comment>\{#.*?(?:#\}|\Z))"
    r"|(?P<raw>\{%[-+]?\s*raw\s*[-+]?%\}.*?(?:\{%[-+]?\s*endraw\s*[-+]?%\}|\Z))"
    r"|(?P<code>\{\{.*?(?:\}\}|\Z)|\{%.*?(?:%\}|\Z))"
    r"|(?P<markup><!--.*?(?:-->|\Z))",
    re.DOTALL,
)
_STRING = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"", re.DOTALL)


def code(text: str) -> Iterator[tuple[int, str]]:
    """Every expression and statement with its line, texts in quotes taken out; also those in markup comments."""
    for line, kind, piece in _pieces(text):
        if kind == "code":
            yield line, _STRING.sub("''", piece)
        elif kind == "markup":
            inside = piece.replace("<!--", "    ")  # markup's comments do not nest, however often one begins
            yield from ((line + inner - 1, said) for inner, said in code(inside))


def comments(text: str) -> Iterator[tuple[int, str]]:
    """Every comment, Jinja's and markup's, with its line."""
    yield from ((line, piece) for line, kind, piece in _pieces(text) if kind in ("comment", "markup"))


def _pieces(text: str) -> Iterator[tuple[int, str, str]]:
    line, at = 1, 0
    for found in _PIECE.finditer(text):
        line, at = line + text.count("\n", at, found.start()), found.start()
        yield line, found.lastgroup or "", found[0]
