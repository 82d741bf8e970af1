"""Asking a served site: as a visitor or as a user, within the time that one sweep may take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from bot.errors import SiteBroken
from bot.model import Request, Response
from bot.parts.served import Served
from bot.ports import Clock
from gates import limits, login
from gates.frames import Hello
from gates.login import Cookies, Login
from gates.question import Question

_TELLING = 2.0  # seconds between two words to who waits


class Patience:
    """Asks a served site until the sweep's time is up, and knows the page that took most of it.

    Where the site has had enough of a visitor, it is asked again as one from another address, `moved` times; `patient`
    is how many it had answered when it first had.
    """

    def __init__(
        self, site: Served, clock: Clock, seconds: float, page: float, tell: Callable[[str], None] = lambda _: None
    ) -> None:
        self._site, self._clock, self._seconds, self._page = site, clock, seconds, page
        self._tell, self._answers, self._told = tell, 0, clock.monotonic()
        self._ends = self._told + seconds
        self._cookies: Cookies = ()
        self._sent = 0.0
        self.moved = self.patient = 0
        self.slowest = (0.0, Request("GET", "/"))

    @property
    def hello(self) -> Hello:
        """What the site said first."""
        return self._site.hello

    def ask(self, questions: Sequence[Question]) -> Iterator[Response]:
        """The answers in order, each handed out once the next question is on its way.

        Raises SiteBroken, naming the slowest page, when the time is up.
        """
        requests = [question.request(self._cookies) for question in questions]
        for place, request in enumerate(requests):
            if place == 0:
                self._send(request)
            answer = self._receive()
            for following in requests[place + 1 : place + 2]:
                self._send(following)
            yield answer

    def sign_in(self, by: Login) -> None:
        """Be a user from now on, where a question wants one. Raises SiteBroken where the site does not let us in."""
        host = self.hello.host
        page = self._one(Request("GET", by.path, host))
        cookies = login.kept((), page)
        answer = self._one(login.posted(by, page, host, cookies))
        why = login.refused(by, answer)
        self._cookies = login.kept(cookies, answer)
        if why or not self._cookies:
            raise SiteBroken(f"gate.routes.login: {by.path} does not sign in: {why or 'it sets no cookie'}")

    def _one(self, request: Request) -> Response:
        self._send(request)
        return self._receive()

    def _send(self, request: Request) -> None:
        self._sent = self._clock.monotonic()
        if self._sent > self._ends:
            took, slow = self.slowest
            raise SiteBroken(f"the sweep took over {self._seconds:.0f} s; slowest: {slow.url} with {took:.1f} s")
        self._site.send(replace(request, address=limits.address(self.moved)), self._page)

    def _receive(self) -> Response:
        answer = self._answer()
        if answer.status != limits.ENOUGH:
            return answer
        if not self.moved:
            self.patient = self._answers - 1
        self.moved += 1
        self._send(self._site.last)
        return self._answer()

    def _answer(self) -> Response:
        answer = self._site.receive(self._page)
        took = (self._clock.monotonic() - self._sent, self._site.last)
        self.slowest = max(self.slowest, took, key=lambda pair: pair[0])
        self._answers += 1
        if self._sent - self._told >= _TELLING:
            self._told = self._sent
            self._tell(f"routes: {self._answers} pages asked, now at {self._site.last.url}")
        return answer
