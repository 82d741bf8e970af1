"""The time that one sweep may take, and the page that took most of it."""

from __future__ import annotations

from bot.errors import SiteBroken
from bot.model import Request, Response
from bot.parts.served import Served
from bot.ports import Clock


class Patience:
    """Asks a served site until the sweep's time is up."""

    def __init__(self, site: Served, clock: Clock, seconds: float, page: float) -> None:
        self._site, self._clock, self._seconds, self._page = site, clock, seconds, page
        self._ends = clock.monotonic() + seconds
        self.slowest = (0.0, Request("GET", "/"))

    def ask(self, request: Request) -> Response:
        """One answer. Raises SiteBroken, naming the slowest page, when the time is up."""
        started = self._clock.monotonic()
        if started > self._ends:
            took, slow = self.slowest
            raise SiteBroken(f"the sweep took over {self._seconds:.0f} s; slowest: {slow.url} with {took:.1f} s")
        response = self._site.ask(request, self._page)
        self.slowest = max(self.slowest, (self._clock.monotonic() - started, request), key=lambda pair: pair[0])
        return response
