"""Which elements a page keeps from its visitors, though they stand in it."""

from __future__ import annotations

import re
from collections.abc import Mapping

UNSEEN = "unseen "  # how the kind of a hidden part begins

_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(hidden|collapse)|content-visibility\s*:\s*hidden"
    r"|(?<![\w-])opacity\s*:\s*0*\.?0*\s*(%|;|!|$)|(font-size|max-height|max-width|(?<![\w-])height)\s*:\s*0+\s*(px|em|rem|%)?\s*(;|!|$)"
    r"|clip(-path)?\s*:|transform\s*:[^;]*scale\w*\(\s*0\s*[,)]|:\s*-\d{3,}",
    re.IGNORECASE,
)
_INPUTS = frozenset({"input", "select", "textarea", "button", "fieldset"})


def hides(tag: str, named: Mapping[str, str | None]) -> bool:
    """Whether the element says so itself. What a style sheet or a program hides is not seen here."""
    if "hidden" in named or "inert" in named or (named.get("aria-hidden") or "").lower() == "true":
        return True
    if tag == "dialog":
        return "open" not in named
    if tag in _INPUTS and "disabled" in named:
        return True
    return "style" in named and _STYLE.search(named["style"] or "") is not None
