"""Killing and burying programs, and the list of those that run, so that all of them can be ended at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Protocol

SET_CHILD_SUBREAPER = 36  # of prctl(2)


class Mortal(Protocol):
    """A started program."""

    def end(self) -> int:
        """Kill and reap it."""


class Roll:
    """The programs that run now. Once it is closed, nothing more is started."""

    def __init__(self) -> None:
        self._running: set[Mortal] = set()
        self.closed = False

    def enter(self, program: Mortal) -> None:
        """It has been started; where the roll was closed meanwhile, it is ended at once."""
        self._running.add(program)
        if self.closed:
            program.end()

    def leave(self, program: Mortal) -> None:
        """It has ended."""
        self._running.discard(program)

    def close(self) -> None:
        """Let nothing more start, and end what runs. Safe in a signal handler: a thread does the work."""
        self.closed = True
        threading.Thread(target=self._end_all, name="ending", daemon=True).start()

    def _end_all(self) -> None:
        for program in tuple(self._running):
            program.end()


ROLL = Roll()


def grip(named: Callable[[], Iterable[int]]) -> list[int]:
    """Kill the processes of these numbers; a descriptor of each.

    They are named again once each number has been taken hold of: one that was taken by another process before that is
    not named any more, and one that is taken later does not matter.
    """
    held: dict[int, int] = {}
    for pid in named():
        with suppress(ProcessLookupError):
            held[pid] = os.pidfd_open(pid)
    still = set(named())
    for pid in [pid for pid in held if pid not in still]:
        os.close(held.pop(pid))
    for handle in held.values():
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    return list(held.values())


def reap(kind: int, number: int) -> None:
    """Wait for what was killed and has fallen to us since its own parent ended."""
    with suppress(ChildProcessError):
        while os.waitid(kind, number, os.WEXITED):
            pass


def adopt_orphans() -> None:
    """Have the kernel give us what our programs leave behind, so that it can be waited for.

    Bubblewrap's watching half ends before the first process of its namespace does; only who reaps that one knows that
    nothing is left. Where the kernel refuses, orphans go to the system's first process as ever.
    """
    import ctypes  # late: many commands start nothing

    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
