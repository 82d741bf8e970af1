"""Ends the sandboxes that a killed process of ours left: bubblewrap follows its parent only once it is set up.

Killed between two of bubblewrap's first steps, we leave a process that waits for ever, or a job that nobody watches and
that its own clock alone would end. Where systemd runs us, the unit's control group has taken them along already.
"""

from __future__ import annotations

import os
import select
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_SECONDS = 5.0


def end_orphans(folder: Path) -> int:
    """Kill each sandbox whose job works below the folder, and wait until it is gone; how many there were.

    Call it with the lock on the folder held and nothing started: then every one of them is an orphan.
    """
    handles = list(_held(str(folder)))
    for handle in handles:
        with suppress(ProcessLookupError, PermissionError):  # gone already; or in a namespace that ends with the rest
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    for handle in handles:
        poller = select.poll()
        poller.register(handle, select.POLLIN)
        poller.poll(_SECONDS * 1000)
        os.close(handle)
    return len(handles)


def _held(folder: str) -> Iterator[int]:
    """A handle on each: taken before its words are read, so that no other process can have come in its place."""
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            handle = os.pidfd_open(int(entry.name))
        except OSError:  # gone meanwhile
            continue
        if _works_below(folder, _words(entry)):
            yield handle
        else:
            os.close(handle)


def _words(process: Path) -> list[str]:
    try:
        return (process / "cmdline").read_bytes().decode("utf-8", "surrogateescape").split("\0")
    except OSError:
        return []


def _works_below(folder: str, words: list[str]) -> bool:
    return words[:1] != [] and Path(words[0]).name == "bwrap" and any(one.startswith(f"{folder}/") for one in words)
