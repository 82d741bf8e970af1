"""How much of a text stands in another one, told by runs of three words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from guards.alike import plain

RUN = 3
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_ASCII = re.compile(r"[a-z0-9]+")


def words(text: str) -> list[str]:
    """The words, in small letters; each Chinese or Japanese character counts as one."""
    return _WORD.findall(plain(text))


def vocabulary(content: str) -> set[str]:
    """The different words of an entry's JSON, names of fields among them."""
    said = content.replace("\\n", " ").replace("\\t", " ")
    return set(_ASCII.findall(said.casefold()) if said.isascii() else words(said))


def shingles(texts: Iterable[str]) -> frozenset[tuple[str, ...]]:
    """Every run of three words; none spans two texts."""
    found: set[tuple[str, ...]] = set()
    for text in texts:
        said = words(text)
        found.update(zip(*(said[at:] for at in range(RUN)), strict=False))
    return frozenset(found)
