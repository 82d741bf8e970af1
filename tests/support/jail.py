"""Opens sandboxes for tests, makes folders that their jobs may use, and looks for what jobs leave behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.base.interpreter import locate
from bot.model import Bounds, Job
from bot.sandbox import SYSTEM, Box, open_sandbox

PROJECT = Path(__file__).resolve().parents[2]
PYTHON = locate(sys.executable, PROJECT)
ATTACKER = (PROJECT / "tests/support/attacker.py").read_text()


SYSTEMS = Path(SYSTEM).exists()
NO_SYSTEMS = "the system has no bubblewrap of its own here; .ci/run installs it"
MODES = (pytest.param("bwrap", marks=pytest.mark.skipif(not SYSTEMS, reason=NO_SYSTEMS)), "bwrap-wheel")


def box(scratch: Path, mode: str = "auto") -> Box:
    """A proven sandbox; `scratch` must be a folder that exists."""
    return open_sandbox(mode, scratch=scratch)


def folder(sandbox: Box, path: Path) -> Path:
    """A new folder that the sandbox's jobs may have as their own."""
    path.mkdir(parents=True)
    if sandbox.owner is not None:
        os.chown(path, *sandbox.owner)
    return path


def python(source: str, work: Path, *arguments: str, bounds: Bounds | None = None, profile: str = "agent") -> Job:
    """A job that runs Python source by our own interpreter."""
    return Job(
        argv=(PYTHON.python, "-I", "-c", source, *arguments),
        work=str(work),
        profile="agent" if profile == "agent" else "check",
        writable=profile == "served",
        read=PYTHON.read,
        bounds=bounds or Bounds(seconds=30),
    )


def alive(token: str) -> list[int]:
    """The processes whose command line holds the token, ours left out."""
    return [pid for pid in _processes() if pid != os.getpid() and token.encode() in _command(pid)]


def gone(token: str, seconds: float) -> bool:
    """Whether no such process is left within that time."""
    deadline = time.monotonic() + seconds
    while alive(token):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def _processes() -> Iterator[int]:
    return (int(name) for name in os.listdir("/proc") if name.isdigit())


def _command(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""
