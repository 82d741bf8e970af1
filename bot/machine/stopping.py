"""What a polite stop does: the cycle ends as failed, with its record, and everything that it started ends first."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.machine.reaping import ROLL

_SHELL = 128  # is what a shell adds to the number of the signal that ended a program
STATUS = _SHELL + signal.SIGTERM
_WORDS: dict[int, str] = {
    signal.SIGTERM: "stopped by SIGTERM, as systemd does at a time limit, at a shutdown and for `systemctl stop`",
    signal.SIGHUP: "stopped by SIGHUP, as the end of a terminal's session does; under `nohup` it goes on",
}


class Stopped(SystemExit):
    """Somebody asked this process to end; it passes through whatever catches errors."""

    def __init__(self, number: int = signal.SIGTERM) -> None:
        self.status = _SHELL + number
        super().__init__(self.status)
        self._words = _WORDS[number]

    def __str__(self) -> str:
        return self._words


@contextmanager
def stoppable() -> Iterator[None]:
    """Inside, the first SIGTERM or SIGHUP raises Stopped and ends every running program; further ones change nothing,
    ever. A SIGHUP that was ignored before, as `nohup` does it, is ignored still.
    """
    heeded = [number for number in _WORDS if signal.getsignal(number) != signal.SIG_IGN]
    before = {number: signal.signal(number, _stop) for number in heeded}
    try:
        yield
    finally:
        if not ROLL.closed:
            for number, handler in before.items():
                signal.signal(number, handler)


def _stop(number: int, _frame: FrameType | None) -> None:
    for one in _WORDS:
        signal.signal(one, signal.SIG_IGN)
    ROLL.close()
    raise Stopped(number)
