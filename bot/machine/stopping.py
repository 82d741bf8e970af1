"""What a polite stop does: the cycle ends as failed, with its record, and everything that it started ends first."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from bot.machine.reaping import ROLL

STATUS = 143  # as a shell tells that SIGTERM ended a program


class Stopped(SystemExit):
    """Somebody asked this process to end; it passes through whatever catches errors."""

    def __init__(self) -> None:
        super().__init__(STATUS)

    def __str__(self) -> str:
        return "stopped by SIGTERM, as systemd does at a time limit, at a shutdown and for `systemctl stop`"


@contextmanager
def stoppable() -> Iterator[None]:
    """Inside, the first SIGTERM raises Stopped and ends every running program; further ones change nothing, ever."""
    before = signal.signal(signal.SIGTERM, _stop)
    try:
        yield
    finally:
        if not ROLL.closed:
            signal.signal(signal.SIGTERM, before)


def _stop(_number: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    ROLL.close()
    raise Stopped
