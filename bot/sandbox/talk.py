"""Frames over the pipes of a running job: four bytes of length, big-endian, then that many bytes."""

from __future__ import annotations

import os
import select
import struct
import threading

from bot.errors import SiteBroken
from bot.machine.clock import SystemClock
from bot.machine.exchange import TICK, Ended
from bot.sandbox.launch import Started
from bot.sandbox.watch import Watcher

LARGEST = 16 * 1024**2
TAIL = 8 * 1024
SENDING = 20.0  # seconds in which the job must take a frame
CLOCK = SystemClock()
MEANING = {"wall": "its time was over", "memory": "it used more memory than it may",
           "workspace": "it filled its folder", "processes": "it started more processes than it may"}  # fmt: skip


class Warden(threading.Thread):
    """Drains a session's standard error and ends the session at its limits."""

    def __init__(self, started: Started, watch: Watcher, seconds: float) -> None:
        super().__init__(name="warden", daemon=True)
        self._program, self._watch = started.program, watch
        self._deadline = CLOCK.monotonic() + seconds
        self._tail = bytearray()
        self.ended: Ended = "exit"

    def run(self) -> None:
        """Attend to it until it is gone."""
        poller = select.poll()
        poller.register(self._program.stderr, select.POLLIN)
        poller.register(self._program.exited, select.POLLIN)
        gone = False
        while not gone:
            ready = {fd for fd, _ in poller.poll(TICK * 1000)}
            gone = self._program.exited in ready
            if self._program.stderr in ready and self._drain() == b"":
                poller.unregister(self._program.stderr)
            if not gone and self.ended == "exit":
                self._look()

    def tail(self) -> str:
        """The end of what came on standard error."""
        return self._tail.decode("utf-8", "replace")

    def _look(self) -> None:
        self.ended = "wall" if CLOCK.monotonic() > self._deadline else self._watch()
        if self.ended != "exit":
            self._program.end()

    def _drain(self) -> bytes | None:
        try:
            piece = os.read(self._program.stderr, 65536)
        except BlockingIOError:
            return None
        self._tail = (self._tail + piece)[-TAIL:]
        return piece


class Frames:
    """The two directions, for one thread at a time. Every failure is SiteBroken with the job's last words."""

    def __init__(self, started: Started, warden: Warden) -> None:
        self._started, self._program, self._warden = started, started.program, warden
        self._buffer = bytearray()

    def send(self, frame: bytes) -> None:
        """Write one frame."""
        left = memoryview(struct.pack(">I", len(frame)) + frame)
        deadline = CLOCK.monotonic() + SENDING
        while left:
            self._ready(self._program.stdin, select.POLLOUT, deadline, "took no request")
            try:
                left = left[os.write(self._program.stdin, left) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                self._over()

    def receive(self, seconds: float) -> bytes:
        """Read one frame, within that time."""
        deadline = CLOCK.monotonic() + seconds
        (length,) = struct.unpack(">I", self._take(4, deadline))
        if length > LARGEST:
            raise SiteBroken(f"the site announced an answer of {length} bytes, over {LARGEST}{self._words()}")
        return self._take(length, deadline)

    def stderr(self) -> str:
        """The end of what the job wrote on its standard error."""
        return self._warden.tail()

    def _take(self, count: int, deadline: float) -> bytes:
        while len(self._buffer) < count:
            self._ready(self._program.stdout, select.POLLIN, deadline, "gave no answer")
            try:
                piece = os.read(self._program.stdout, 1024**2)
            except BlockingIOError:
                continue
            if not piece:
                self._over()
            self._buffer += piece
        taken = bytes(self._buffer[:count])
        del self._buffer[:count]
        return taken

    def _ready(self, fd: int, event: int, deadline: float, failing: str) -> None:
        poller = select.poll()
        poller.register(fd, event)
        if not poller.poll(max(0.0, deadline - CLOCK.monotonic()) * 1000):
            raise SiteBroken(f"the site {failing} in time{self._words()}")

    def _over(self) -> None:
        self._warden.join(1.0)
        if self._warden.ended != "exit":
            raise SiteBroken(f"the site was ended: {MEANING[self._warden.ended]}{self._words()}")
        if self._program.gone():
            self._started.check(self.stderr())
        self._program.end()
        raise SiteBroken(f"the site's process ended its answers{self._words()}")

    def _words(self) -> str:
        said = self.stderr().strip()
        return f"; its last words: {said}" if said else "; it said nothing"
