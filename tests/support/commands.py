"""Commands as an operator starts them, and demo sites on which a cycle has run, made once for all tests and workers."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner

from bot.cli.main import app
from bot.demo import Stage, ending, stage
from bot.store.git import Identity, commit_files
from tests.support import httpbin

OLD = timedelta(hours=26)
SOMEBODY = Identity("Somebody", "somebody@example.org", "2026-01-01T00:00:00+00:00")


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    status: int
    out: str
    err: str

    @property
    def object(self) -> dict[str, object]:
        """The one object on standard output, which holds nothing else."""
        found: dict[str, object] = json.loads(self.out)
        assert self.out.count("\n") == 1
        return found


def plusone(*arguments: str | Path) -> Done:
    """A command in this process."""
    seen = CliRunner().invoke(app, [str(one) for one in arguments])
    assert seen.exception is None or isinstance(seen.exception, SystemExit), seen.exception
    return Done(seen.exit_code, seen.stdout, seen.stderr)


def started(*arguments: str | Path, cwd: Path, **environment: str) -> Done:
    """A command as the installed program, in a process of its own."""
    program = [str(Path(sys.prefix, "bin", "plusone")), *map(str, arguments)]
    given = {**os.environ, **environment}
    done = subprocess.run(program, cwd=cwd, env=given, capture_output=True, text=True, timeout=100, check=False)
    return Done(done.returncode, done.stdout, done.stderr)


def complaint(done: Done, status: int) -> str:
    """What a broken command says: one line, on standard error, with its exit status."""
    assert (done.status, done.err.count("\n"), done.err[:9]) == (status, 1, "plusone: "), done
    assert "Traceback" not in done.err and "unforeseen" not in done.err
    return done.err


@dataclass(frozen=True)
class Fired:
    """A site on which a cycle has run."""

    folder: Path

    @property
    def config(self) -> Path:
        """The configuration; its paths are relative, so the whole folder may be copied."""
        return self.folder / "plusone.toml"

    @property
    def state(self) -> Path:
        """What was recorded of the site."""
        (state,) = (self.folder / "state").iterdir()
        return state

    @property
    def report(self) -> dict[str, object]:
        """What `run --json` said."""
        found: dict[str, object] = json.loads((self.folder / "report.json").read_text())
        return found

    @property
    def status(self) -> int:
        """How it exited."""
        return int((self.folder / "status").read_text())

    @property
    def recording(self) -> Path:
        """The recording of the cycle."""
        return self.state / "cycles" / str(self.report["cycle"]) / "recording.jsonl"

    def copied(self, folder: Path) -> Fired:
        """The same for one test alone."""
        shutil.copytree(self.folder, folder, symlinks=True, copy_function=_copied)
        return Fired(folder)


def _copied(source: str, target: str) -> None:
    """A file; what a reader's own connection to a database made and took away meanwhile is none of it."""
    with suppress(FileNotFoundError):
        shutil.copy2(source, target)


def demo_stage(folder: Path, age: timedelta = OLD) -> Stage:
    """The demo's site, set up for a cycle."""
    return stage(folder, sys.executable, datetime.now(UTC).replace(microsecond=0), age)


def fired(kind: str, factory: pytest.TempPathFactory) -> Fired:
    """A demo site on which the cycle of that name has run; never to be written to."""
    return _shared(factory, kind, lambda folder: _fire(folder, kind, factory))


def fired_pictured(factory: pytest.TempPathFactory) -> Fired:
    """A demo site on which a cycle has run whose claim names a new page and a changed one, pictures of them taken."""

    def make(folder: Path) -> None:
        made = demo_stage(folder)
        warm(folder, fired("committed", factory))
        made.config.write_text(made.config.read_text().replace('pictures = "never"', 'pictures = "auto"'))
        script = ending("committed-feature").script
        assert script is not None
        (folder / "script.json").write_text(script.read_text().replace('"changes": []', '"changes": ["/"]'))
        _run(folder, folder / "script.json")

    return _shared(factory, "pictured", make)


def fired_httpbin(factory: pytest.TempPathFactory, script: Path) -> Fired:
    """httpbin, on which the cycle of a script has run."""

    def make(folder: Path) -> None:
        httpbin.stage(folder, datetime.now(UTC))
        if script != httpbin.COMMITTED:
            warm(folder, fired_httpbin(factory, httpbin.COMMITTED))
        _run(folder, script)

    return _shared(factory, f"httpbin-{script.stem}", make)


@contextmanager
def alone(lock: Path) -> Iterator[None]:
    """One worker at a time."""
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _shared(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Fired:
    base = factory.getbasetemp()
    base = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "fired"
    base.mkdir(exist_ok=True)
    folder = base / name
    with alone(base / f"{name}.lock"):
        if not (folder / "report.json").exists():
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
    return Fired(folder)


def _fire(folder: Path, kind: str, factory: pytest.TempPathFactory) -> None:
    made = demo_stage(folder)
    if kind != "committed":
        warm(folder, fired("committed", factory))
    script = ending({"dry-run": "committed", "lost-race": "committed"}.get(kind, kind)).script
    assert script is not None
    with _pushing_meanwhile(made) if kind == "lost-race" else _nothing():
        _run(folder, script, *(["--dry-run"] if kind == "dry-run" else []))


def warm(folder: Path, from_: Fired) -> None:
    """Base is the same everywhere, so it is measured once."""
    shutil.copytree(from_.state / "cache", folder / "state" / from_.state.name / "cache")


def _run(folder: Path, script: Path, *more: str) -> None:
    done = plusone("run", "--config", folder / "plusone.toml", "--model", f"script:{script}", "--json", *more)
    assert done.out, done
    (folder / "status").write_text(str(done.status))
    (folder / "report.json").write_text(done.out)


@contextmanager
def _nothing() -> Iterator[None]:
    yield


@contextmanager
def _pushing_meanwhile(made: Stage) -> Iterator[None]:
    """Somebody pushes as soon as the agent is at work."""

    def push() -> None:
        deadline = time.monotonic() + 60
        while not any(made.config.parent.glob("state/*/cycles/*/workspace/*")) and time.monotonic() < deadline:
            time.sleep(0.02)
        commit_files(made.remote, "main", {"NOTES.md": b"by hand\n"}, "By hand\n", SOMEBODY)

    thread = threading.Thread(target=push)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def contents(*folders: Path) -> Mapping[str, bytes]:
    """Every file of the folders, but what git keeps for itself alone."""
    files = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files if path.name not in ("index", "COMMIT_EDITMSG")}
