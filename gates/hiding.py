"""Which elements a page keeps from its visitors, though they stand in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

UNSEEN = "unseen "  # how the kind of a hidden part begins

# Nothing that was matched is given back (`*+`), so that a long value costs as much as it is long.
_STYLE = re.compile(
    r"display\s*+:\s*+none|visibility\s*+:\s*+(?:hidden|collapse)|content-visibility\s*+:\s*+hidden"
    r"|(?<![\w-])opacity\s*+:\s*+0*+\.?+0*+\s*+(?:%|;|!|$)"
    r"|(?:font-size|max-height|max-width|(?<![\w-])height)\s*+:\s*+0++\s*+(?:px|em|rem|%)?+\s*+(?:;|!|$)"
    r"|clip(?:-path)?+\s*+:|:\s*+-\d{3}",
    re.IGNORECASE,
)
_MOVED = re.compile(r"transform\s*+:", re.IGNORECASE)
_TO_NOTHING = re.compile(r"(?<!\w)(\w++)\(\s*+0\s*+[,)]")
_SCALE = re.compile("scale", re.IGNORECASE)
_INPUTS = frozenset({"input", "select", "textarea", "button", "fieldset"})


def hides(tag: str, named: Mapping[str, str | None]) -> bool:
    """Whether the element says so itself. What a style sheet or a program hides is not seen here."""
    if "hidden" in named or "inert" in named or (named.get("aria-hidden") or "").lower() == "true":
        return True
    if tag == "dialog":
        return "open" not in named
    if tag in _INPUTS and "disabled" in named:
        return True
    style = named.get("style") or ""
    return _STYLE.search(style) is not None or any(map(_shrinks, style.split(";")))


def _shrinks(declaration: str) -> bool:
    """Whether it scales the element down to nothing."""
    moved = _MOVED.search(declaration)
    found = _TO_NOTHING.finditer(declaration, moved.end()) if moved else ()
    return any(_SCALE.search(one[1]) for one in found)
