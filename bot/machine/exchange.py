"""What goes in and out of a running program: feeds its input, keeps its output up to a cap, and sees to its limits."""

from __future__ import annotations

import os
import selectors
from collections.abc import Callable
from typing import Literal, Protocol

from bot.machine.clock import SystemClock
from bot.model import Ran

Ended = Literal["exit", "wall", "memory", "output", "workspace", "processes"]
Watch = Callable[[], Ended]

CLOCK = SystemClock()
TICK = 0.1
CHUNK = 65536


class Running(Protocol):
    """The part of a program that is needed here."""

    stdin: int
    stdout: int
    stderr: int
    exited: int

    def gone(self, seconds: float = 0.0) -> bool:
        """Whether it exits within that time."""

    def close_stdin(self) -> None:
        """Tell it that nothing more comes."""

    def end(self) -> int:
        """Kill and reap it; the exit status."""


def exchange(program: Running, stdin: bytes, *, seconds: float, output: int, watch: Watch | None = None) -> Ran:
    """Attend to the program until it exits or a limit ends it; it is ended and reaped afterwards."""
    started = CLOCK.monotonic()
    flow = Flow(program, stdin, output)
    ended: Ended = "exit"
    looked = started
    while ended == "exit" and not flow.step(min(TICK, seconds)):
        now = CLOCK.monotonic()
        if flow.flooded:
            ended = "output"
        elif now - started >= seconds:
            ended = "wall"
        elif watch is not None and now - looked >= TICK:
            looked, ended = now, watch()
    status = program.end()
    flow.rest()
    if flow.flooded and ended == "exit":
        ended = "output"
    stdout, stderr = (bytes(flow.kept[fd]) for fd in (program.stdout, program.stderr))
    return Ran(status, stdout, stderr, CLOCK.monotonic() - started, ended)


class Flow:
    """The three pipes. `kept` never grows beyond the cap; `flooded` says that more came."""

    def __init__(self, program: Running, stdin: bytes, cap: int) -> None:
        self._program = program
        self._left = memoryview(stdin)
        self._room = cap
        self._selector = selectors.DefaultSelector()
        self.kept = {program.stdout: bytearray(), program.stderr: bytearray()}
        self.flooded = False
        self._selector.register(program.exited, selectors.EVENT_READ)
        for fd in self.kept:
            self._selector.register(fd, selectors.EVENT_READ)
        if stdin:
            self._selector.register(program.stdin, selectors.EVENT_WRITE)
        else:
            program.close_stdin()

    def step(self, seconds: float) -> bool:
        """Move what can be moved within that time; whether the program is gone."""
        ready = {key.fd for key, _ in self._selector.select(seconds)}
        for fd in ready:
            if fd == self._program.stdin:
                self._feed()
            elif fd in self.kept and self._take(fd) == b"":
                self._selector.unregister(fd)
        return self._program.exited in ready

    def rest(self) -> None:
        """Take what is still in the pipes of an ended program, and let go of them."""
        self._selector.close()
        for fd in self.kept:
            while not self.flooded and self._take(fd):
                pass

    def _feed(self) -> None:
        try:
            self._left = self._left[os.write(self._program.stdin, self._left[:CHUNK]) :]
        except BlockingIOError:
            return
        except BrokenPipeError:
            self._left = self._left[:0]
        if not self._left:
            self._selector.unregister(self._program.stdin)
            self._program.close_stdin()

    def _take(self, fd: int) -> bytes | None:
        """What came; empty at the end of the stream, None where nothing is there now."""
        try:
            piece = os.read(fd, CHUNK)
        except BlockingIOError:
            return None
        self.kept[fd] += piece[: self._room]
        self.flooded = self.flooded or len(piece) > self._room
        self._room = max(0, self._room - len(piece))
        return piece
