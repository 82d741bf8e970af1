"""What is seen of a cycle while it runs: each node as it begins, for systemd and on a terminal."""

from __future__ import annotations

import sys

import typer

from bot.clock import SystemClock
from bot.lines import printable
from bot.supervisor import tell


class Progress:
    """Hears each node's name. `socket` is where systemd listens; nothing is printed but on a terminal."""

    def __init__(self, socket: str) -> None:
        self._socket, self._clock = socket, SystemClock()
        self._began = self._clock.monotonic()
        self._shown = sys.stderr.isatty()

    def at(self, node: str) -> None:
        """A node begins; the seconds are those since the cycle did."""
        tell(self._socket, f"at {node}")
        if self._shown:
            typer.echo(f"{self._clock.monotonic() - self._began:6.1f} s  {node}", err=True)

    def tell(self, text: str) -> None:
        """How far a node is."""
        if self._shown:
            typer.echo(f"{'':10}{printable(text)}", err=True)
