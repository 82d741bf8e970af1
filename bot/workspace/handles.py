"""Owns how files that untrusted code made are opened and read: by handle, following no link, never waiting."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

OPEN = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PIECE = 1 << 20


@contextmanager
def opened(root: Path, parts: list[str]) -> Iterator[int]:
    """A handle on the folder that lies `parts` below the root. Raises OSError where a part is a link or no folder."""
    handle = os.open(root, OPEN | os.O_DIRECTORY)
    try:
        for part in parts:
            inner = os.open(part, OPEN | os.O_DIRECTORY, dir_fd=handle)
            os.close(handle)
            handle = inner
        yield handle
    finally:
        os.close(handle)


def is_empty(handle: int, name: str, facts: os.stat_result) -> bool:
    """Whether it is an empty file, or a folder with nothing in it."""
    if not stat.S_ISDIR(facts.st_mode):
        return stat.S_ISREG(facts.st_mode) and facts.st_size == 0
    inner = os.open(name, OPEN | os.O_DIRECTORY, dir_fd=handle)
    try:
        with os.scandir(inner) as entries:
            return next(entries, None) is None
    finally:
        os.close(inner)


def hashed(handle: int, name: str, facts: os.stat_result) -> str:
    """The id of the file's blob. Raises OSError where it is not the file that was looked at, or it grows meanwhile."""
    file_handle = os.open(name, OPEN, dir_fd=handle)
    with os.fdopen(file_handle, "rb", buffering=0) as file:
        now = os.fstat(file_handle)
        digest = hashlib.sha1(b"blob %d\0" % facts.st_size, usedforsecurity=False)
        read = 0
        while read <= facts.st_size and (piece := file.read(_PIECE)):
            digest.update(piece)
            read += len(piece)
    if (now.st_dev, now.st_ino, now.st_mode) != (facts.st_dev, facts.st_ino, facts.st_mode) or read != facts.st_size:
        raise OSError(0, "it changed while it was read")
    return digest.hexdigest()
