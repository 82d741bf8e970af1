"""Sites for the page to look at: one on which a real cycle ran, and one whose journal is written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from bot.codec import decode, encode
from bot.folders import Folders
from bot.journal import Journal
from bot.machine.clock import SystemClock
from bot.settings import load
from bot.web import Watched
from bot.web.application import application
from bot.web.doorkeeper import Doorkeeper
from tests.support.commands import Fired
from tests.support.pages import Pages
from tests.support.settings import loaded

HERE = "http://127.0.0.1:8765"


def of_cycle(site: Fired) -> Watched:
    """The site as `plusone serve` would open it."""
    folders = Folders(site.state)
    return Watched(load(site.config), folders, Journal(folders.journal, SystemClock(), encode, decode))


def by_hand(folder: Path) -> tuple[Watched, Pages]:
    """A site whose journal holds what a test writes; its clock is that of the test."""
    pages = Pages(folder)
    return Watched(loaded(folder), Folders(folder), pages.journal, pages.clock.now), pages


@dataclass
class Visit:
    """A browser at the page. `seal` is what its forms carry once it has signed in."""

    client: FlaskClient
    door: Doorkeeper
    seal: str = ""

    @classmethod
    def to(cls, site: Watched) -> Visit:
        """A visit by the page's own address."""
        door = Doorkeeper(frozenset({"127.0.0.1:8765"}))
        return cls(application(site, door).test_client(), door)

    def get(self, path: str, base: str = HERE) -> TestResponse:
        """Read a page."""
        return self.client.get(path, base_url=base)

    def post(self, path: str, origin: str | None = HERE, **form: str) -> TestResponse:
        """Send a form as a browser would, with its seal unless another is given."""
        headers = {} if origin is None else {"Origin": origin}
        return self.client.post(path, base_url=HERE, data={"seal": self.seal, **form}, headers=headers)

    def signed_in(self) -> Visit:
        """The same, with the token."""
        assert self.post("/enter", token=self.door.token).status_code == 303
        cookie = self.client.get_cookie("plusone", domain="127.0.0.1")
        assert cookie is not None
        self.seal = self.door.seal(cookie.value)
        return self
