"""Pings as Healthchecks and its like want them: a start, and an exit status with the log's tail."""

from __future__ import annotations

from urllib.parse import urlsplit, urlunsplit

from bot.notify.notice import Notice
from bot.notify.post import post

_TEXT = "text/plain; charset=utf-8"


def start(url: str, rid: str) -> None:
    """The firing begins. Raises Undelivered."""
    post(_address(url, "start", rid), b"", _TEXT)


def end(url: str, notice: Notice) -> None:
    """It ended: 0 is a sign of health, anything else a failure. Raises Undelivered."""
    post(_address(url, str(notice.status), notice.rid), notice.log.encode(), _TEXT)


def _address(url: str, word: str, rid: str) -> str:
    parts = urlsplit(url)
    query = f"{parts.query}&rid={rid}" if parts.query else f"rid={rid}"
    return urlunsplit((parts.scheme, parts.netloc, f"{parts.path.rstrip('/')}/{word}", query, ""))
