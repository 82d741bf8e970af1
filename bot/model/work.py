"""What a sandbox is asked to run and what came of it; the frames that cross the pipe to a served site."""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from bot.frozen import frozen

WITHHELD = "[withheld: a secret of this machine]"  # what stands wherever one was


@frozen
class Bounds:
    """Limits of one job: seconds of wall clock, bytes, and counts, over its whole process tree.

    `reserving` lets a process set aside more addresses than `memory`, as browsers do; what it uses is watched as ever.
    """

    seconds: float = 120.0
    memory: int = 2 * 1024**3
    output: int = 4 * 1024**2
    processes: int = 128
    file: int = 64 * 1024**2
    work_bytes: int = 512 * 1024**2
    work_files: int = 50_000
    reserving: bool = False


@frozen
class Job:
    """One command for the sandbox. `work` is a host folder, seen as `/w`, where the job starts.

    Profile `agent`: `/w` is writable. Profile `check`: it is read-only unless `writable`, for private copies.
    `read` are further host paths, seen read-only at their own place.
    """

    argv: tuple[str, ...]
    work: str
    profile: Literal["agent", "check"] = "check"
    writable: bool = False
    env: dict[str, str] = field(default_factory=dict)
    read: tuple[str, ...] = ()
    stdin: bytes = b""
    bounds: Bounds = Bounds()


@frozen
class Ran:
    """What came of a job. `ended` other than `exit` names the limit that ended it; `status` is then meaningless."""

    status: int
    stdout: bytes
    stderr: bytes
    seconds: float
    ended: Literal["exit", "wall", "memory", "output", "workspace", "processes"] = "exit"


@frozen
class Request:
    """What the judge asks a served site. `url` is a path with an optional query; an empty `host` is the default one.

    A `plain` one comes over http also where the site is asked over https. `address` is the visitor's, if not the usual.
    """

    method: str
    url: str
    host: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    plain: bool = False
    address: str = ""


@frozen
class Origin:
    """Where an exception rose: its type, and the innermost frame that lies in the site's tree (path relative to it)."""

    type: str
    file: str
    line: int
    message: str = ""


@frozen
class Response:
    """What a served site answered; `endpoint` is what its URL map matched, None where nothing did."""

    status: int
    headers: tuple[tuple[str, str], ...]
    body: bytes
    endpoint: str | None = None
    origin: Origin | None = None

    def header(self, name: str) -> str:
        """The first header of that name, or an empty text."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")
