"""One site, served in the sandbox from a private copy of a tree and asked over a pipe."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import gates
from bot.errors import SiteBroken
from bot.model import Bounds, Job, Origin, Request, Response, Site
from bot.parts.tools import Tools
from bot.ports import Talk
from bot.redaction import Redaction
from gates import frames

FOLDER = Path(gates.__file__).resolve().parent
STARTING = 60.0
SPARE = 5.0


class Served:
    """Implements `ports.Pipe`. `last` is the newest request, for telling what ended a site."""

    def __init__(self, talk: Talk, hello: frames.Hello, redaction: Redaction) -> None:
        self._talk, self.hello, self.last, self._redaction = talk, hello, Request("GET", "/"), redaction

    def ask(self, request: Request, seconds: float = 20.0) -> Response:
        """One answer; status 0 where the site needed longer. Raises SiteBroken when the site died or talks nonsense."""
        self.send(request, seconds)
        return self.receive(seconds)

    def send(self, request: Request, seconds: float) -> None:
        """Ask without waiting. Raises SiteBroken when the site died."""
        self.last = request
        self._talk.send(frames.request(request, seconds))

    def receive(self, seconds: float) -> Response:
        """The answer to what was sent. Raises SiteBroken."""
        try:
            return _withheld(frames.response(self._talk.receive(seconds + SPARE)), self._redaction)
        except ValueError as error:
            raise SiteBroken(f"{self.last.method} {self.last.url}: {error}") from error


@contextmanager
def served(tools: Tools, site: Site, tree: str, seconds: float, *, secure: bool = False) -> Iterator[Served]:
    """The site of that tree, ended after the block. Raises SiteBroken with its own message where it does not boot."""
    with tools.exports.export(tree) as folder, tools.sandbox.session(_job(site, folder, seconds, secure)) as talk:
        try:
            hello = frames.hello(talk.receive(STARTING))
        except ValueError as error:
            raise SiteBroken(f"{site.app} cannot be served: {error}") from error
        if isinstance(hello, Origin):
            raise SiteBroken(_complaint(site, hello))
        yield Served(talk, hello, tools.redaction)


def _withheld(answer: Response, redaction: Redaction) -> Response:
    """The answer without this machine's secrets: it is kept, quoted in objections, and read by models."""
    origin = answer.origin
    return replace(
        answer,
        headers=tuple((name, redaction.text(value)) for name, value in answer.headers),
        body=redaction.content(answer.body),
        origin=None if origin is None else replace(origin, message=redaction.text(origin.message)),
    )


def _job(site: Site, folder: Path, seconds: float, secure: bool) -> Job:
    about = json.dumps({"app": site.app, "path": site.path, "secure": secure})
    return Job(
        (site.python, "-I", "-B", str(FOLDER / "serve.py"), about),
        str(folder),
        writable=True,
        env=dict(site.env or {}),
        read=(*site.read, str(FOLDER)),
        bounds=Bounds(seconds=seconds + STARTING, output=1024**3),
    )


def _complaint(site: Site, error: Origin) -> str:
    where = f" at {error.file}:{error.line}" if error.file else ""
    return " ".join(f"{site.app} does not boot{where}: {error.type}: {error.message}".split())
