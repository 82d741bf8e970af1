"""What the numbers were measured on."""

from __future__ import annotations

import os
import platform
import re
import tempfile
from pathlib import Path

BUSY = 0.5  # of the processors, from which on the numbers say little


def machine() -> str:
    """The machine on one line, and a warning where it has other things to do."""
    known = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    model = re.search(r"model name\s*: (.*)", known)
    processors, load = os.cpu_count() or 1, os.getloadavg()[0]
    who = "root" if os.getuid() == 0 else "an ordinary user"
    told = (
        f"{processors} x {model[1] if model else platform.machine()}, Linux {platform.release()}, "
        f"Python {platform.python_version()}, as {who}, scratch on {_filesystem(tempfile.gettempdir())}, "
        f"load {load:.2f}"
    )
    return f"{told} (BUSY: measure again when it is quiet)" if load > BUSY * processors else told


def _filesystem(folder: str) -> str:
    mounts = [line.split() for line in Path("/proc/mounts").read_text(encoding="utf-8").splitlines()]
    holding = [mount for mount in mounts if Path(os.path.realpath(folder)).is_relative_to(mount[1])]
    return max(holding, key=lambda mount: len(mount[1]))[2]
