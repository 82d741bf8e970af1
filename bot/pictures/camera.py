"""Takes pictures of the pages of one tree: the site and the browser run in one sandbox, and only bytes come out."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import gates
from bot.errors import SiteBroken
from bot.frozen import frozen
from bot.model import Bounds, Job, Site
from bot.pictures.browser import Browser
from bot.pictures.png import HIGHEST, MOST_BYTES, NoPicture, checked
from bot.ports import Exports, Sandbox, Talk

FOLDER = Path(gates.__file__).resolve().parent
STARTING, PAGE, SPARE = 60.0, 12.0, 5.0
WIDTH, HEIGHT = 1280, 2400
MEMORY = 4 * 1024**3  # the configured memory is the limit where it is less
assert HEIGHT <= HIGHEST


@frozen
class Taken:
    """A checked picture, or empty, and then why there is none."""

    picture: bytes
    why: str = ""


@frozen
class Camera:
    """Where trees are served and looked at. `seconds` is how long one page may take."""

    exports: Exports
    sandbox: Sandbox
    site: Site
    browser: Browser
    seconds: float = PAGE

    def pictures(self, tree: str, urls: Sequence[str]) -> Mapping[str, Taken]:
        """A picture, or the reason why there is none, for each URL; nothing that goes wrong is raised but NoSandbox."""
        found: dict[str, Taken] = {}
        why = ""
        try:
            with self.exports.export(tree) as folder, self.sandbox.session(self._job(folder, urls)) as talk:
                _start(talk)
                for url, taken in zip(urls, self._taken(talk), strict=False):
                    found[url] = taken
        except SiteBroken as error:
            why = str(error)
        return {url: found.get(url, Taken(b"", why)) for url in urls}

    def _taken(self, talk: Talk) -> Iterator[Taken]:
        while True:
            frame = _frame(talk, self.seconds + STARTING + SPARE)
            yield _picture(frame)

    def _job(self, folder: Path, urls: Sequence[str]) -> Job:
        site = self.site
        about = {
            "app": site.app, "path": site.path, "browser": self.browser.program, "urls": list(urls), "width": WIDTH,
            "height": HEIGHT, "bytes": MOST_BYTES, "seconds": self.seconds,
        }  # fmt: skip
        seconds = STARTING + len(urls) * (self.seconds + SPARE)
        return Job(
            (site.python, "-I", "-B", str(FOLDER / "camera.py"), json.dumps(about)),
            str(folder),
            writable=True,
            env=dict(site.env or {}),
            read=(*site.read, *self.browser.read, str(FOLDER)),
            bounds=Bounds(seconds=seconds, memory=MEMORY, output=1024**3, processes=512, reserving=True),
        )


def _frame(talk: Talk, seconds: float) -> Mapping[str, object]:
    """One frame of the program inside, which is believed in nothing. Raises SiteBroken where it is no object."""
    try:
        found = json.loads(talk.receive(seconds))
    except (ValueError, RecursionError) as error:
        raise SiteBroken("what came from the sandbox is no answer") from error
    if not isinstance(found, dict):
        raise SiteBroken("what came from the sandbox is no answer")
    return found


def _start(talk: Talk) -> None:
    """Raises SiteBroken where the site or the browser does not start."""
    if why := str(_frame(talk, STARTING).get("error") or ""):
        raise SiteBroken(why)


def _picture(frame: Mapping[str, object]) -> Taken:
    said, why = frame.get("picture"), str(frame.get("why") or "")
    if not isinstance(said, str) or not said:
        return Taken(b"", why or "no picture was made")
    try:
        return Taken(checked(base64.b64decode(said, validate=True)))
    except (NoPicture, binascii.Error) as error:
        return Taken(b"", f"what was made is not kept: {error}")
