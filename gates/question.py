"""One question to a served site, and how it is named in a sweep."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from bot.model import Request, Response

Why = Literal["rule", "entry", "example", "crawl", "unknown", "method", "claim"]


@dataclass(frozen=True, slots=True)
class Question:
    """Ask `method url` at `host`. `locale` goes into Accept-Language; `label` stands for a URL that is made up anew."""

    method: str
    url: str
    host: str = ""
    locale: str = ""
    why: Why = "rule"
    label: str = ""

    @property
    def key(self) -> str:
        """Its name in a sweep: the same in every run."""
        return f"{self.locale or '-'} {self.method} {self.host}{self.label or self.url}"

    @property
    def shown(self) -> str:
        """The URL as people are told of it."""
        return self.label or self.url

    @property
    def path(self) -> str:
        """The URL without its query."""
        return self.url.partition("?")[0]

    @property
    def whole(self) -> str:
        """The URL with scheme and host."""
        return f"http://{self.host or 'localhost'}{self.url}"

    @property
    def request(self) -> Request:
        """What crosses the pipe."""
        headers = (("Accept-Language", self.locale),) if self.locale else ()
        return Request(self.method, self.url, self.host, headers)

    def blanked(self, response: Response) -> Response:
        """The answer with a made-up URL replaced by its label, so that two runs can be compared."""
        if not self.label:
            return response
        made_up = self.path.rpartition("/")[2]
        headers = tuple((name, value.replace(made_up, "unknown")) for name, value in response.headers)
        body = response.body.replace(made_up.encode(), b"unknown")
        return Response(response.status, headers, body, response.endpoint, response.origin)
