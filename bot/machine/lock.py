"""One cycle per site: a lock that the kernel frees when its process dies."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.errors import ConfigError, LockHeld


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Inside, nobody else holds `path`. Raises LockHeld at once where somebody does, ConfigError where it cannot be."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    except OSError as error:
        raise ConfigError(f"{path} cannot be opened ({error.strerror}); make the state folder writable") from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(handle)
        raise LockHeld(f"another cycle of this site is running: it holds {path}; wait for it to end") from error
    try:
        yield
    finally:
        os.close(handle)
