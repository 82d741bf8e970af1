"""The only reader of the clock."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The machine's own time."""

    def now(self) -> datetime:
        """Aware UTC."""
        return datetime.now(UTC)

    def monotonic(self) -> float:
        """Seconds that never go back."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)


_ERROR, _UNSYNCHRONISED, _STATUS = 5, 0x40, 40  # of adjtimex(2): state, status bit, place of the status


def synchronised() -> bool | None:
    """Whether the kernel says that its clock follows a time server; None where it does not tell."""
    import ctypes  # late: only who looks at the machine asks this

    buffer = ctypes.create_string_buffer(512)
    state = ctypes.CDLL(None).adjtimex(buffer)
    if state < 0:
        return None
    status = int.from_bytes(buffer.raw[_STATUS : _STATUS + 4], "little")
    return state != _ERROR and not status & _UNSYNCHRONISED
