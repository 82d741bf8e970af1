"""Owns standard input, output and error: that a process has them at all."""

from __future__ import annotations

import os
import sys

_LAST = 2


def complete() -> None:
    """Open each one that the process was started without on nothing; call it before any file is opened.

    Else the next file that is opened, a database say, takes its number, and then what is told there is written into it.
    """
    while (handle := os.open(os.devnull, os.O_RDWR)) <= _LAST:
        os.set_inheritable(handle, True)
    os.close(handle)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", encoding="utf-8", closefd=False))  # noqa: SIM115
