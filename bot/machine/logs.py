"""How lines on standard error are marked: with systemd's levels where they go to its journal, plain elsewhere."""

from __future__ import annotations

import os
from typing import Literal

LEVELS = {"error": 3, "warning": 4, "notice": 5}


def marked(text: str, level: Literal["error", "warning", "notice"], stream: str, fd: int = 2) -> str:
    """The line, with its level in front where `stream` ($JOURNAL_STREAM) says that the descriptor is the journal's."""
    return f"<{LEVELS[level]}>{text}" if stream and stream == _identity(fd) else text


def _identity(fd: int) -> str:
    """As systemd tells it: device and inode. The variable is inherited, so a redirected stream must not match."""
    try:
        found = os.fstat(fd)
    except OSError:
        return ""
    return f"{found.st_dev}:{found.st_ino}"
