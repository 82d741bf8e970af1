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


@contextmanager
def draft(purpose: str, folder: Path | None = None) -> Iterator[Path]:
    """A new folder named for its purpose, in `folder` or where temporary files go; removed at the end."""
    made, handle = _locked(purpose, folder)
    try:
        yield made
    finally:
        try:
            remove(made)  # still locked: half removed, it would look like what a dead process left
        finally:
            os.close(handle)


def sweep_drafts(purposes: tuple[str, ...], folder: Path | None = None) -> None:
    """Remove what died processes of ours left of these purposes. Others' folders, and those in use, are not touched."""
    place = folder or Path(tempfile.gettempdir())
    for path in [one for purpose in purposes for one in place.glob(f"{purpose}-*")]:
        with suppress(OSError):  # somebody else's, in use, or gone meanwhile
            facts = path.lstat()
            if stat.S_ISDIR(facts.st_mode) and facts.st_uid == os.geteuid():
                _remove_unused(path)


def _locked(purpose: str, folder: Path | None) -> tuple[Path, int]:
    """A new folder and the handle that holds its lock; made anew where a sweep took it before it was locked."""
    while True:
        made = Path(tempfile.mkdtemp(dir=folder, prefix=f"{purpose}-"))
        with suppress(FileNotFoundError):
            handle = _opened(made)
            fcntl.flock(handle, fcntl.LOCK_SH)  # waits for a sweep that is at it
            if made.exists():
                return made, handle
            os.close(handle)


def _remove_unused(path: Path) -> None:
    """Raises BlockingIOError where a living process holds it."""
    handle = _opened(path)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        remove(path)
    finally:
        os.close(handle)


def _opened(path: Path) -> int:
    return os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
