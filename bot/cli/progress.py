"""What is seen of a cycle while it runs: the node, the time and the money, for systemd and on a terminal."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self

import typer

from bot.errors import PlusoneError
from bot.lines import printable
from bot.machine.clock import SystemClock
from bot.machine.supervisor import tell

Money = Callable[[], float | None]
TICK = 1.0
WIDTH = 79


class Progress:
    """Hears each node as it begins. `socket` is where systemd listens; nothing is printed but on a terminal.

    Inside its block the newest line goes on telling the seconds and the money since the cycle began.
    """

    def __init__(self, socket: str, tick: float = TICK) -> None:
        self._socket, self._clock, self._tick = socket, SystemClock(), tick
        self._began = self._clock.monotonic()
        self._shown = sys.stderr.isatty()
        self._node, self._along, self._money, self._last = "", "", _nothing, ""
        self._lock, self._over = threading.Lock(), threading.Event()
        self._ticker = threading.Thread(target=self._go_on, name="progress", daemon=True)

    def __enter__(self) -> Self:
        if self._shown:
            self._ticker.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._over.set()
        if self._shown:
            self._ticker.join()
            self._finish()

    def at(self, node: str, money: Money) -> None:
        """A node begins. `money` tells what the cycle has spent so far, in US dollars, None where no price is known."""
        tell(self._socket, f"at {node}")
        if self._shown:
            self._finish()
            with self._lock:
                self._node, self._money, self._along = node, money, ""
            self._write()

    def tell(self, text: str) -> None:
        """How far the node is; the newest word of it stands beside its name."""
        with self._lock:
            self._along = printable(text)

    def _go_on(self) -> None:
        while not self._over.wait(self._tick):
            self._write()

    def _finish(self) -> None:
        """The line of the node that ended stays as it is."""
        self._write()
        with self._lock:
            if self._node:
                typer.echo("", err=True)
            self._node = ""

    def _write(self) -> None:
        with self._lock:
            if self._node:
                seconds = self._clock.monotonic() - self._began
                line = f"{seconds:7.1f} s  {self._spent()}  {self._node:<8}  {self._along}"
                typer.echo(f"\r{line[:WIDTH]:<{WIDTH}}", err=True, nl=False)

    def _spent(self) -> str:
        try:
            usd = self._money()
        except PlusoneError:  # what is sick there, the cycle itself will tell
            return self._last or "0.0000 USD"
        self._last = "cost unknown" if usd is None else f"{usd:.4f} USD"
        return self._last


def _nothing() -> float | None:
    return 0.0
