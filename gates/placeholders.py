"""The placeholders of a message, and whether a translation has the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from string import Formatter

_PERCENT = re.compile(r"%%|%(?:\((?P<name>[^()]+)\))?[#0+\-]*(?:\d+|\*)?(?:\.\d+)?(?P<type>[diouxXeEfFgGcrsa])")
_SAME_TYPE = {"i": "d", "u": "d", "X": "x", "F": "f", "g": "f", "G": "f"}  # as Babel's own checker has it

Style = Callable[[str], frozenset[str] | None]


def mismatch(sources: tuple[str, ...], form: str, flags: Collection[str]) -> str:
    """What the form names that no source names, or leaves out that every source names; empty when it fits.

    `flags` are the message's own: they may say that it holds no placeholders of a style.
    """
    styles = tuple(style for flag, style in _STYLES.items() if flag not in flags)
    for style in styles:
        wanted = [found for found in map(style, sources) if found is not None]
        got = style(form)
        if not wanted or (not any(wanted) and style is brace):
            continue
        if got is None:
            return f"unbalanced braces in {form[:60]!r}"
        unknown, missing = got - set().union(*wanted), set(wanted[0]).intersection(*wanted) - got
        if unknown or missing:
            words = [f"unknown {', '.join(sorted(unknown))}"] if unknown else []
            return "; ".join([*words, *([f"missing {', '.join(sorted(missing))}"] if missing else [])])
    formatted = percent in styles and any(map(_PERCENT.search, sources)) and not any(map(_stray, sources))
    return "a % that is no placeholder, which must be written %%" if formatted and _stray(form) else ""


def _stray(text: str) -> bool:
    """Whether formatting the text would stumble over a percent sign, or take what follows it for a placeholder."""
    return "%" in _PERCENT.sub("", text)


def percent(text: str) -> frozenset[str]:
    """The placeholders of percent style with their type; those without a name are told apart by their place."""
    names: list[str] = []
    for found in _PERCENT.finditer(text):
        if found[0] != "%%":
            kind = _SAME_TYPE.get(found["type"], found["type"])
            names.append(f"%({found['name']}){kind}" if found["name"] else f"%{kind} number {len(names) + 1}")
    return frozenset(names)


def brace(text: str) -> frozenset[str] | None:
    """The placeholders of brace style, or None where the braces do not balance."""
    names: list[str] = []
    try:
        for _, name, _, _ in Formatter().parse(text):
            if name is not None:
                names.append(f"{{{name}}}" if name else f"{{}} number {len(names) + 1}")
    except ValueError:
        return None
    return frozenset(names)


_STYLES: dict[str, Style] = {"no-python-format": percent, "no-python-brace-format": brace}
