"""The patterns that all values of a field may have in common."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date, datetime

from bot.frozen import frozen

_URL = r"[^\s<>\"']+"
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_TAG = re.compile(r"<(?:[A-Za-z][\w-]*|!--|/)[^>]*>")
_ELEMENT = re.compile(r"<([A-Za-z][\w-]*)(?:\s[^>]*)?>.*</([A-Za-z][\w-]*)\s*>", re.DOTALL)


@frozen
class Pattern:
    """`telling` patterns name one thing each, so that equal values are no coincidence."""

    name: str
    fits: Callable[[str], bool]
    telling: bool = False


def _whole(expression: str) -> Callable[[str], bool]:
    compiled = re.compile(expression)
    return lambda text: compiled.fullmatch(text) is not None


def _is_date(text: str) -> bool:
    return _DATE.fullmatch(text) is not None and _parses(date.fromisoformat, text)


def _is_moment(text: str) -> bool:
    return len(text) > 10 and _is_date(text[:10]) and _parses(datetime.fromisoformat, text)


def _parses(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


DATES = (Pattern("a date, YYYY-MM-DD", _is_date), Pattern("a date and time in ISO 8601", _is_moment))
SLUGS = (
    Pattern("a slug of small letters, digits and -", _whole(r"[a-z0-9]+(?:-[a-z0-9]+)*")),
    Pattern("a slug of small letters, digits and _", _whole(r"[a-z0-9]+(?:_[a-z0-9]+)*")),
    Pattern("a slug of letters, digits and -", _whole(r"[^\W_]+(?:-[^\W_]+)*")),
)
PATTERNS = (
    Pattern("an https URL", _whole(f"https://{_URL}"), telling=True),
    Pattern("a URL", _whole(f"https?://{_URL}"), telling=True),
    Pattern("an e-mail address", _whole(r"[^\s@<>\"']+@[^\s@<>\"']+\.[^\s@<>\"']+"), telling=True),
    Pattern("a path from the root", _whole(r"/[^\s<>\"']*")),
    Pattern("a colour, #rrggbb", _whole(r"#[0-9A-Fa-f]{6}")),
    Pattern("digits", _whole(r"\d+")),
    *DATES,
)


def common(texts: Sequence[str]) -> Pattern | None:
    """The narrowest pattern that all texts have; a slug only where half of them are joined, for any word is one."""
    if found := next((one for one in PATTERNS if all(map(one.fits, texts))), None):
        return found
    if sum("-" in text or "_" in text for text in texts) * 2 < len(texts):
        return None
    return next((one for one in SLUGS if all(map(one.fits, texts))), None)


def dated(text: str) -> bool:
    """Whether the text begins with a date."""
    return any(one.fits(text) for one in DATES)


def has_tags(text: str) -> bool:
    """Whether anything in it looks like a tag."""
    return _TAG.search(text) is not None


def is_markup(text: str) -> bool:
    """Whether it is written as markup as a whole: an opening tag first, a closing tag last.

    A text about markup mentions tags in its sentences; whether one reaches a page as a tag is asked of the page.
    """
    return _ELEMENT.fullmatch(text.strip()) is not None
