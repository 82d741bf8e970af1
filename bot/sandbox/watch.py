"""What a running job uses: memory over all its processes, bytes and files in its folder."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from bot.machine.clock import SystemClock
from bot.machine.exchange import Ended
from bot.model import Bounds

PAGE = os.sysconf("SC_PAGE_SIZE")
HIDDEN = {errno.EACCES, errno.ENAMETOOLONG, errno.ELOOP}  # a folder made so that nobody can look in
OURS = 8  # processes of a job that are bubblewrap's and the tools' before the command
CLOCK = SystemClock()


def family(pid: int) -> Iterator[int]:
    """The process and all below it, as far as they still are there."""
    waiting = [pid]
    while waiting:
        pid = waiting.pop()
        yield pid
        try:
            for thread in Path(f"/proc/{pid}/task").iterdir():
                waiting += map(int, (thread / "children").read_bytes().split())
        except (FileNotFoundError, ProcessLookupError):
            continue


def is_kin(pid: int, of: int) -> bool:
    """Whether it is the process `of`, below it, or the first process of a namespace that fell to us when `of` ended."""
    if pid in family(of):
        return True
    try:
        lines = Path(f"/proc/{pid}/status").read_bytes().decode(errors="replace").splitlines()
    except (FileNotFoundError, ProcessLookupError):
        return False
    facts = dict(line.split(":\t", 1) for line in lines if ":\t" in line)
    numbers = facts.get("NSpid", "").split()
    return int(facts["PPid"]) == os.getpid() and len(numbers) > 1 and numbers[-1] == "1"


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_bytes().split()[1]) * PAGE
    except (FileNotFoundError, ProcessLookupError):
        return 0


def unmapped() -> int:
    """Bytes of memory that the machine holds for tmpfs and shared memory, whether or not a process maps them now."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Shmem:")), 0)


def overgrown(folder: str, bounds: Bounds) -> bool:
    """Whether the folder holds more bytes or files than it may, or hides how much it holds."""
    size = files = 0
    waiting = [folder]
    while waiting and files <= bounds.work_files and size <= bounds.work_bytes:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    try:
                        info = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # gone meanwhile: the others count
                    files, size = files + 1, size + info.st_blocks * 512
                    if stat.S_ISDIR(info.st_mode):
                        waiting.append(entry.path)
        except OSError as error:
            if error.errno in HIDDEN:
                return True
    return files > bounds.work_files or size > bounds.work_bytes


def sockets(folder: str) -> Iterator[str]:
    """Sockets below the folder: through one, a job would reach a program outside, read-only or not."""
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif not entry.is_file(follow_symlinks=False) and _is_socket(entry):
                        yield entry.path
        except OSError:
            continue


def _is_socket(entry: os.DirEntry[str]) -> bool:
    return stat.S_ISSOCK(entry.stat(follow_symlinks=False).st_mode)


class Watcher:
    """Says which limit a job has passed; the folder is looked at less often the longer a look takes."""

    def __init__(self, pid: int, folder: str | None, bounds: Bounds, memory: int) -> None:
        self._pid, self._folder, self._bounds, self._memory = pid, folder, bounds, memory
        self._next_look = CLOCK.monotonic() + 0.5
        self._unmapped = unmapped()

    def __call__(self) -> Ended:
        """`processes`, `memory`, `workspace`, or `exit` while all is well.

        The kernel counts processes too, but not what one starts that a job made its own by writing to its memory.
        What a job put into shared memory and no longer maps belongs to no process, so the machine's growth is taken.
        """
        pids = tuple(family(self._pid))
        if len(pids) > self._bounds.processes + OURS:
            return "processes"
        if sum(map(_resident, pids)) > self._memory or unmapped() - self._unmapped > self._memory:
            return "memory"
        if self._folder is None or CLOCK.monotonic() < self._next_look:
            return "exit"
        return self.final()

    def final(self) -> Ended:
        """The folder's verdict, now."""
        if self._folder is None:
            return "exit"
        started = CLOCK.monotonic()
        grown = overgrown(self._folder, self._bounds)
        now = CLOCK.monotonic()
        self._next_look = now + max(0.5, 20 * (now - started))
        return "workspace" if grown else "exit"
