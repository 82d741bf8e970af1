"""What a firing may leave behind: nothing in the checkout, no process, no folder."""

from __future__ import annotations

import ctypes
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from bot.machine.reaping import SET_CHILD_SUBREAPER

Picture = dict[str, tuple[int, bytes]]


def photograph(folder: Path) -> Picture:
    """Every path below the folder, git's own files included, with its mode and its content or link."""
    found: Picture = {}
    for path in sorted(folder.rglob("*")):
        facts = path.lstat()
        content = os.readlink(path).encode() if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        found[str(path.relative_to(folder))] = (facts.st_mode, content)
    return found


def adopt_orphans() -> None:
    """From now on what a killed child leaves running falls to this process, where it can be seen."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants(of: int) -> list[int]:
    """The processes below one, ended ones that nobody waited for included."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state = (entry / "stat").read_text().rpartition(")")[2].split()
                parents.setdefault(int(state[1]), []).append(int(entry.name))
    found, waiting = [], [of]
    while waiting:
        below = parents.get(waiting.pop(), [])
        found += below
        waiting += below
    return found


def survivors(seconds: float = 20.0) -> list[str]:
    """What is known of the processes below this one that do not end by themselves within that time."""
    until = time.monotonic() + seconds
    while left := [pid for pid in descendants(os.getpid()) if not _reaped(pid)]:
        if time.monotonic() > until:
            return [_command(pid) for pid in left]
        time.sleep(0.02)
    return []


def kill_tree(pid: int) -> None:
    """What a service manager does at last: SIGKILL to a process and to all that it started."""
    for victim in (pid, *descendants(pid)):
        with suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)


def leavings(state: Path, scratch: Path) -> list[str]:
    """Work folders and scratch files that lie in a site's state folder, or where temporary files go."""
    paths = [*scratch.iterdir(), *state.glob("*/scratch/*"), *state.glob("*/cycles/*/workspace")]
    return sorted(
        str(path) for path in [*paths, *state.rglob("*.lock"), *state.glob("*/.*"), *state.glob("*/replay-*")]
    )


def _reaped(pid: int) -> bool:
    with suppress(ChildProcessError):
        return os.waitpid(pid, os.WNOHANG)[0] == pid
    return not Path(f"/proc/{pid}").exists()


def _command(pid: int) -> str:
    """Whose child it is, what it does, since when, what it waits in, and the end of its command line."""
    here = Path(f"/proc/{pid}")
    with suppress(OSError):
        state = (here / "stat").read_text().rpartition(")")[2].split()
        age = time.monotonic() - int(state[19]) / os.sysconf("SC_CLK_TCK")
        words = (here / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        where = (here / "wchan").read_text()
        return f"{pid} of {state[1]}, {state[0]} in {where}, {age:.1f} s old: {words[:40]} … {words[-160:]}"
    return str(pid)
