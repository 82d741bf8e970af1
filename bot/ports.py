"""What the nodes ask of the world, as protocols; `compose` decides who answers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.model import (
    Baseline,
    Claim,
    Evidence,
    Holdings,
    Job,
    Objection,
    Ran,
    Ready,
    Request,
    Response,
    Snapshot,
    TreeEntry,
)


class Clock(Protocol):
    """The time: `now` is aware UTC, `monotonic` is in seconds."""

    def now(self) -> datetime:
        """The wall clock."""

    def monotonic(self) -> float:
        """A clock that never goes back."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class Cache(Protocol):
    """Bytes under a key, kept in the state folder; a damaged or missing item reads as None."""

    def get(self, key: str) -> bytes | None:
        """What was put there, whole, or None."""

    def put(self, key: str, content: bytes) -> None:
        """Keep it, swapped in whole."""


class Objects(Protocol):
    """Read access to the trees and blobs of the store."""

    def tree_of(self, commit: str) -> str:
        """The tree of a commit."""

    def entries(self, tree: str) -> Mapping[str, TreeEntry]:
        """Every path of the tree, recursively, with its mode, object and size."""

    def blob(self, oid: str) -> bytes:
        """A blob's content."""

    def blobs(self, oids: Iterable[str]) -> Mapping[str, bytes]:
        """The contents of many blobs, read at once."""

    def patch(self, before: str, after: str) -> str:
        """The difference of two trees as a unified patch."""


class Exports(Protocol):
    """Fresh folders that hold a tree of the store, for the sandbox to look at."""

    def export(
        self, tree: str, *, rules_of: str | None = None, also: Collection[str] = (), tests_of: str | None = None
    ) -> AbstractContextManager[Path]:
        """A new 0700 folder with the tree, `.git` an empty folder, catalogues compiled; it is gone after the block.

        `rules_of` names a tree whose tool configuration (ruff, babel, pytest, and what stands at the paths `also`)
        replaces the exported tree's own, `tests_of` one whose tests do.
        """


class Pipe(Protocol):
    """One served site."""

    def ask(self, request: Request, seconds: float = 20.0) -> Response:
        """One answer, or SiteBroken when none comes in time or the site died."""


class Sandbox(Protocol):
    """Where untrusted code runs."""

    @property
    def mode(self) -> str:
        """What holds it, for the record."""

    def run(self, job: Job) -> Ran:
        """Run to the end or to a limit. Raises NoSandbox when the job could not be started at all."""

    def session(self, job: Job) -> AbstractContextManager[Talk]:
        """Start it with pipes on its standard input and output; everything is ended after the block."""


class Talk(Protocol):
    """Length-prefixed frames over the pipes of a running job: four bytes, big-endian, then that many bytes."""

    def send(self, frame: bytes) -> None:
        """Write one frame."""

    def receive(self, seconds: float) -> bytes:
        """Read one frame; SiteBroken at the deadline, at the end of the stream, or when it is over 16 MiB."""

    def stderr(self) -> str:
        """The end of what the job wrote on its standard error, at most 8 KiB."""


class Reader(Protocol):
    """What a tree holds, read by its own code in the sandbox."""

    def holdings(self, tree: str) -> tuple[str, Holdings]:
        """The cache key and what the tree holds. Raises SiteBroken with the site's own message."""


class GatePart(Protocol):
    """One part of the gate."""

    @property
    def name(self) -> str:
        """What people call it."""

    def baseline(self, base_tree: str) -> Baseline:
        """Measure base, or find it measured. Raises SiteBroken where base itself cannot be measured (set-up)."""

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """Compare the snapshot with base. Raises GateBroken where the part's own answer cannot be read."""


class Reply(Protocol):
    """How a builder's or a fixer's visit ended."""

    @property
    def claim(self) -> Claim | None:
        """What was handed in, if anything."""

    @property
    def declined(self) -> str:
        """Why nothing was; empty where the visit just ended."""


class Agent(Protocol):
    """A model at work. The prompts are whole texts; the visit's exchanges are recorded by whoever implements this."""

    def build(self, system: str, task: str, workspace: Path) -> Reply:
        """Work in the workspace until `submit`, `decline` or the end; one reminder."""

    def fix(self, system: str, task: str, workspace: Path, visit: int) -> Reply:
        """Work in the workspace until the turn ends."""

    def review(self, system: str, task: str, visit: int, again: str = "") -> str:
        """The text of the reviewer's last turn. `again` asks once more in the same visit."""


class Workspace(Protocol):
    """The folder in which the agent works."""

    @property
    def root(self) -> Path:
        """Where it is."""

    def restore(self, tree: str) -> None:
        """Make it a fresh export of the tree, whatever it held."""

    def discard(self) -> None:
        """Remove it."""


def canonical(objections: Iterable[Objection]) -> tuple[Objection, ...]:
    """A fixed order, so that the same findings are the same value whoever finished first."""
    return tuple(sorted(objections, key=lambda one: (one.node, one.code, one.where, one.subject, one.what)))
