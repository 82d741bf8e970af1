"""Asking a served site: as a visitor or as a user, within the time that one sweep may take."""

from __future__ import annotations

from bot.errors import SiteBroken
from bot.model import Request, Response
from bot.parts.served import Served
from bot.ports import Clock
from gates import login
from gates.frames import Hello
from gates.login import Cookies, Login
from gates.question import Question


class Patience:
    """Asks a served site until the sweep's time is up, and knows the page that took most of it."""

    def __init__(self, site: Served, clock: Clock, seconds: float, page: float) -> None:
        self._site, self._clock, self._seconds, self._page = site, clock, seconds, page
        self._ends = clock.monotonic() + seconds
        self._cookies: Cookies = ()
        self.slowest = (0.0, Request("GET", "/"))

    @property
    def hello(self) -> Hello:
        """What the site said first."""
        return self._site.hello

    def ask(self, question: Question) -> Response:
        """One answer. Raises SiteBroken, naming the slowest page, when the time is up."""
        return self._send(question.request(self._cookies))

    def sign_in(self, by: Login) -> None:
        """Be a user from now on, where a question wants one. Raises SiteBroken where the site does not let us in."""
        host = self.hello.host
        page = self._send(Request("GET", by.path, host))
        cookies = login.kept((), page)
        answer = self._send(login.posted(by, page, host, cookies))
        why = login.refused(by, answer)
        self._cookies = login.kept(cookies, answer)
        if why or not self._cookies:
            raise SiteBroken(f"gate.routes.login: {by.path} does not sign in: {why or 'it sets no cookie'}")

    def _send(self, request: Request) -> Response:
        started = self._clock.monotonic()
        if started > self._ends:
            took, slow = self.slowest
            raise SiteBroken(f"the sweep took over {self._seconds:.0f} s; slowest: {slow.url} with {took:.1f} s")
        response = self._site.ask(request, self._page)
        self.slowest = max(self.slowest, (self._clock.monotonic() - started, request), key=lambda pair: pair[0])
        return response
