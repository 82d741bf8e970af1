"""Owns folders that last no longer than their process: a lock, which dies with it, tells them from rubbish."""

from __future__ import annotations

import fcntl
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.machine.removal import remove

_YOUNG = 600  # seconds in which a folder may be made already and not yet locked


@contextmanager
def draft(purpose: str, folder: Path | None = None) -> Iterator[Path]:
    """A new folder named for its purpose, in `folder` or where temporary files go; removed at the end."""
    made = Path(tempfile.mkdtemp(dir=folder, prefix=f"{purpose}-"))
    try:
        handle = os.open(made, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            fcntl.flock(handle, fcntl.LOCK_SH)
            yield made
        finally:
            os.close(handle)
    finally:
        remove(made)


def sweep_drafts(purposes: tuple[str, ...], now: float, folder: Path | None = None) -> None:
    """Remove what died processes of ours left of these purposes. Others' folders, and those in use, are not touched.

    `now` is in seconds since 1970, as the file system counts.
    """
    place = folder or Path(tempfile.gettempdir())
    for path in [one for purpose in purposes for one in place.glob(f"{purpose}-*")]:
        with suppress(OSError):  # somebody else's, or gone meanwhile
            facts = path.lstat()
            ours = stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid()
            if ours and now - facts.st_mtime > _YOUNG and not _in_use(path):
                remove(path)


def _in_use(path: Path) -> bool:
    handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(handle)
    return False
