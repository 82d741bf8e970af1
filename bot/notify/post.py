"""One POST to somebody's server, with short patience and no credentials of ours."""

from __future__ import annotations

from urllib.parse import urlsplit

import httpx2

from bot.notify.delivery import Undelivered

_SECONDS = 10.0


def post(url: str, content: bytes, kind: str) -> None:
    """Raises Undelivered, naming the host only, for anything but an answer of 2xx."""
    host = urlsplit(url).hostname or "?"
    try:
        with httpx2.Client(timeout=_SECONDS, trust_env=False, follow_redirects=False) as client:
            answer = client.post(url, content=content, headers={"content-type": kind})
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise Undelivered(f"{host}: {type(error).__name__}") from error
    if not answer.is_success:
        raise Undelivered(f"{host}: answered {answer.status_code}")
