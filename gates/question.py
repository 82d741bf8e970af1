"""One question to a served site, and how it is named in a sweep."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from bot.frozen import frozen
from bot.model import Request, Response

Why = Literal["rule", "entry", "example", "crawl", "literal", "static", "unknown", "method", "claim", "link", "twin"]

_STAND_IN = "unknown"
_MADE_UP = re.compile(r"[0-9a-f]{16}")


class Target(NamedTuple):
    """Where a link leads: a URL of one host, found by a visitor or by a user."""

    host: str
    url: str
    user: bool = False


@frozen
class Question:
    """Ask `method url` at `host`, signed in where `user` is set.

    `locale` goes into Accept-Language; `label` stands for a URL that is made up anew in each run. A `plain` one
    is asked over http whatever the site prefers, and kept apart from a sweep's other questions.
    """

    method: str
    url: str
    host: str = ""
    locale: str = ""
    why: Why = "rule"
    label: str = ""
    user: bool = False
    plain: bool = False

    @property
    def key(self) -> str:
        """Its name in a sweep: the same in every run."""
        return f"{'user ' if self.user else ''}{self.locale or '-'} {self.method} {self.host}{self.label or self.url}"

    @property
    def shown(self) -> str:
        """The URL as people are told of it."""
        return self.label or self.url

    @property
    def path(self) -> str:
        """The URL without its query."""
        return self.url.partition("?")[0]

    @property
    def target(self) -> Target:
        """What it asks, whatever the locale."""
        return Target(self.host, self.url, self.user)

    @property
    def whole(self) -> str:
        """The URL with scheme and host, the made-up part of it replaced."""
        return f"http://{self.host or 'localhost'}{self._blank(self.url)}"

    def request(self, cookies: tuple[tuple[str, str], ...] = ()) -> Request:
        """What crosses the pipe; the cookies are a user's."""
        headers = (("Accept-Language", self.locale),) if self.locale else ()
        return Request(self.method, self.url, self.host, headers, cookies if self.user else (), plain=self.plain)

    def blanked(self, response: Response) -> Response:
        """The answer with a made-up URL replaced by its label, so that two runs can be compared."""
        if not self.label:
            return response
        headers = tuple((name, self._blank(value)) for name, value in response.headers)
        body = self._blank(response.body.decode("latin-1")).encode("latin-1")
        return Response(response.status, headers, body, response.endpoint, response.origin)

    def _blank(self, text: str) -> str:
        for word in _MADE_UP.findall(self.url) if self.label else ():
            text = text.replace(word, _STAND_IN)
        return text
