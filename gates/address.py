"""Where a link leads: a path on its page's own host, or a whole URL elsewhere."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import urljoin, urlsplit, urlunsplit

_ABSOLUTE = re.compile(r"/(?:[\w%~@:+,=&!$*()'-][\w%~@:+,=&!$*()'./-]*)?(?:\?[\w%~@:+,=&!$*()'./-]+)?", re.ASCII)


def internal(url: str, href: str) -> str:
    """The path and query that a link leads to, or an empty text where it leaves the site."""
    target = absolute(url, href)
    return target if target.startswith("/") else ""


def absolute(url: str, href: str) -> str:
    """The link's target without its fragment: a path on the host of `url`, a whole URL elsewhere."""
    return href if _ABSOLUTE.fullmatch(href) and "/." not in href else _joined(url, href)


@lru_cache(maxsize=4096)
def _joined(url: str, href: str) -> str:
    try:
        here, parts = urlsplit(url), urlsplit(urljoin(url, href.strip()))
    except ValueError:
        return href
    if parts.scheme in ("http", "https") and parts.netloc == here.netloc:
        return urlunsplit(("", "", parts.path or "/", parts.query, ""))
    return urlunsplit((parts.scheme, parts.netloc, parts.path, parts.query, ""))
