"""What an answer's headers say to browsers and machines, as items that can be counted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from bot.model import Response
from gates.part import Part

_GUARDING = (
    "content-language",
    "content-security-policy",
    "permissions-policy",
    "referrer-policy",
    "strict-transport-security",
    "www-authenticate",
    "x-content-type-options",
    "x-frame-options",
)
_NONCE = re.compile(r"'nonce-[^']*'")
_QUOTED = re.compile(r'"[^"]*"')
_PASSING = ("expires", "max-age")  # of a cookie: how long it lasts is no matter of what it may do


def parts(response: Response) -> Iterator[Part]:
    """One part for each; what a header would forbid or open is a part as long as the header is not there."""
    kind = response.header("content-type").lower()
    charset = re.search(r"charset=\"?([\w-]+)", kind)
    if charset:
        yield Part("charset", charset[1])
    if not response.header("content-disposition").lower().startswith("attachment"):
        yield Part("delivery", "shown in the browser")
    yield Part("access", response.header("access-control-allow-origin") or "for its own origin")
    for name in _GUARDING:
        if value := response.header(name):
            yield Part("header", f"{name}: {_fixed(name, value)}")
    cookies = (value for name, value in response.headers if name.lower() == "set-cookie")
    yield from (Part("cookie", _cookie(value)) for value in cookies)


def listing(rules: Iterable[str], sent_on: bool) -> Iterator[Part]:
    """What machines may do with the page, unless a rule of its head or headers forbids it; and whether it stays."""
    told = {word.strip().lower() for rule in rules for word in re.split(r"[,:]", rule)}
    if not told & {"noindex", "none"}:
        yield Part("listing", "may be indexed")
    if not told & {"nofollow", "none"}:
        yield Part("listing", "may be followed")
    if not sent_on:
        yield Part("delivery", "stays")


def _fixed(name: str, value: str) -> str:
    return _QUOTED.sub('""', value) if name == "www-authenticate" else _NONCE.sub("'nonce'", value)


def _cookie(value: str) -> str:
    """Its name, and where and to whom it is sent."""
    first, *rest = (piece.strip() for piece in value.split(";"))
    kept = sorted(piece.lower() for piece in rest if not piece.lower().startswith(_PASSING))
    return "; ".join((first.partition("=")[0], *kept))
