"""Firings that die: a child process fires, and SIGKILL, or SIGTERM, meets it at a named moment."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

from bot.agents.recording import Recording
from bot.errors import PlusoneError
from bot.firing.start import fire
from bot.journal import Journal
from bot.machine.stopping import stoppable
from bot.store.publisher import StorePublisher
from tests.support.firing import Place
from tests.support.plays import Play
from tests.support.traces import descendants, kill_tree

Method = Callable[..., object]
_IN_FLIGHT: list[str] = []


@dataclass(frozen=True, slots=True)
class Moment:
    """The `nth` time that something happens: `what` is one of WHAT; `node` narrows the first three.

    `start`: a node is in flight. `lost`: it is done, unrecorded. `kept`: recorded, and nothing after it.
    """

    what: str
    node: str = ""
    nth: int = 1


# what: the method, and whether death comes before it or after it
WHAT: dict[str, tuple[type, str, bool]] = {
    "start": (Journal, "start", False),
    "lost": (Journal, "end", True),
    "kept": (Journal, "end", False),
    "reserved": (Journal, "reserve", False),
    "answered": (Recording, "write", False),
    "pushed": (StorePublisher, "push", False),
    "followed": (StorePublisher, "follow", False),
    "closing": (Journal, "close", True),
    "closed": (Journal, "close", False),
}


def killed(here: Place, script: Play | Path | str, moment: Moment) -> None:
    """Fire in a child that kills itself at the moment; what it started is left to itself."""
    assert killed_or_ended(here, script, moment), f"{moment} never came"


def killed_or_ended(here: Place, script: Play | Path | str, moment: Moment) -> bool:
    """The same where the moment may never come; whether it did."""
    child = os.fork()
    if child == 0:
        _arm(moment, signal.SIGKILL)
        _fire(here, script)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def stopped(here: Place, script: Play | Path | str, moment: Moment) -> None:
    """Fire in a child that is asked to end at the moment, as `plusone run` is asked by systemd."""
    child = os.fork()
    if child == 0:
        _arm(moment, signal.SIGTERM)
        with stoppable():
            _fire(here, script)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3


def killed_after(here: Place, script: Play | Path | str, seconds: float, whole_tree: bool) -> bool:
    """Fire in a child and kill it that much later, alone or with all that it started; whether it was still alive."""
    child = os.fork()
    if child == 0:
        _fire(here, script)
    time.sleep(seconds)
    if whole_tree:
        kill_tree(child)
    else:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    if whole_tree:
        for orphan in descendants(os.getpid()):
            kill_tree(orphan)
    return os.WIFSIGNALED(status)


def _fire(here: Place, script: Play | Path | str) -> None:
    """Never returns: a fork of a test must not run the rest of the suite."""
    try:
        with suppress(PlusoneError):
            fire(here.order(script))
    finally:
        os._exit(3)


def _follow_the_nodes() -> None:
    original = Journal.start

    def start(self: Journal, cycle: str, seq: int, node: str) -> None:
        _IN_FLIGHT[:] = [node]
        original(self, cycle, seq, node)

    patched: Any = Journal
    patched.start = start


def _arm(moment: Moment, how: signal.Signals) -> None:
    owner, name, before = WHAT[moment.what]
    _follow_the_nodes()
    original: Method = getattr(owner, name)
    seen = 0

    def strike() -> None:
        nonlocal seen
        seen += moment.node in ("", *_IN_FLIGHT)
        if seen == moment.nth:
            os.kill(os.getpid(), how)

    @wraps(original)
    def deadly(*given: object, **named: object) -> object:
        if before:
            strike()
        value = original(*given, **named)
        if not before:
            strike()
        return value

    setattr(owner, name, deadly)
