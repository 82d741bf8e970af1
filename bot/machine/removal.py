"""Owns how a folder that untrusted code wrote to is removed: whatever its depth, modes and names."""

from __future__ import annotations

import os
import stat
from pathlib import Path


def remove(folder: Path) -> None:
    """Remove the folder and all it holds, following no link; a folder that is not there is fine.

    Inner folders are moved up before they are emptied, so neither recursion nor the length of a path is a limit.
    """
    try:
        mode = folder.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(mode):
        folder.unlink()
        return
    folder.chmod(0o700)
    token, moved = os.urandom(8).hex(), 0
    while children := list(os.scandir(folder)):
        for child in children:
            if _dropped(child):
                continue
            for inner in list(os.scandir(child.path)):
                if not _dropped(inner):
                    Path(inner).rename(folder / f"{token}-{moved}")
                    moved += 1
            Path(child).rmdir()
    folder.rmdir()


def _dropped(entry: os.DirEntry[str]) -> bool:
    """Unlink what is not a folder; open up what is one."""
    if entry.is_dir(follow_symlinks=False):
        Path(entry).chmod(0o700)
        return False
    Path(entry).unlink()
    return True
