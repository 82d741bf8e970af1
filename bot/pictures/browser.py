"""Finds the browser that takes the pictures, and what the sandbox must show of it."""

from __future__ import annotations

import shutil
from pathlib import Path

from bot.frozen import frozen

PROGRAMS = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FOLDERS = "/usr/bin:/usr/local/bin"
FONTS = ("/etc/fonts", "/etc/chromium.d")


@frozen
class Browser:
    """A program, and host paths to show read-only beside the system's own."""

    program: str
    read: tuple[str, ...]


def located(folders: str = FOLDERS) -> Browser | None:
    """The first Chromium there is, None where there is none."""
    found = next((path for name in PROGRAMS if (path := shutil.which(name, path=folders))), None)
    if found is None:
        return None
    real = Path(found).resolve()
    shown = [path for path in FONTS if Path(path).is_dir()]
    if not real.is_relative_to("/usr"):
        shown.append(str(real.parent))  # /opt/google/chrome
    return Browser(str(real), tuple(shown))
