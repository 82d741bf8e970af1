"""Takes away the restrictions of the sandbox, one at a time: then a drill that names it must get through."""

from __future__ import annotations

import os
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from types import ModuleType
from typing import Any

import bot.sandbox
from bot.drill import DRILLS, Arena, Drill, Result
from bot.machine import process
from bot.machine.exchange import exchange
from bot.sandbox import box, launch, profile, seccomp, watch
from bot.sandbox.stage import stage

Switch = Callable[[], AbstractContextManager[None]]
Owner = ModuleType | type


@contextmanager
def replaced(*changes: tuple[Owner, str, Any]) -> Iterator[None]:
    """Other values for names of modules; and no proof at the start that the sandbox holds, which would refuse."""
    with ExitStack() as stack:
        for owner, name, value in (*changes, (bot.sandbox, "proven", lambda made, _scratch: made)):
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, value)
        yield


def without(*words: str, instead: tuple[str, ...] = ()) -> tuple[tuple[Owner, str, Any], ...]:
    """Bubblewrap's arguments, those words in a row taken out wherever they stand."""
    arguments = profile.arguments

    def fewer(said: list[str], more: tuple[str, ...] = ()) -> list[str]:
        count = len(words)
        at = next((at for at in range(len(said)) if tuple(said[at : at + count]) == words), None)
        return said if at is None else [*said[:at], *more, *said[at + count :]]

    return (
        (profile, "arguments", lambda *given: fewer(arguments(*given), instead)),
        (launch, "stage", lambda *given: fewer(stage(*given))),
    )


def nameless() -> tuple[tuple[Owner, str, Any], ...]:
    """The machine's own name."""
    kept = [word for word in profile.ISOLATION if word not in ("--unshare-uts", "--hostname", "sandbox")]
    return ((profile, "ISOLATION", tuple(kept)),)


def shown() -> tuple[tuple[Owner, str, Any], ...]:
    """More of the machine's files."""
    system = profile.system

    def more() -> Iterator[str]:
        yield from system()
        for path in ("/var", "/sys", "/etc/hostname", "/etc/fstab", "/etc/machine-id"):
            yield from ("--ro-bind-try", path, path)

    return (profile, "system", more), (sys.modules["bot.sandbox.stage"], "system", more)


def started(changed: Callable[[process.Command], process.Command]) -> tuple[Owner, str, Any]:
    """Every program started otherwise."""
    popen = process._popen
    return process, "_popen", lambda command: popen(changed(command))


def inheriting() -> AbstractContextManager[None]:
    """The environment of this process, and nothing that clears it."""
    given = {**os.environ, "PLUSONE_DRILL": "leaked " * 5}
    return replaced(*without("--clearenv"), started(lambda one: replace(one, env={**given, **one.env})))


@contextmanager
def lending() -> Iterator[None]:
    """An open file of ours."""
    ours = os.open("/etc/passwd", os.O_RDONLY)
    try:
        with replaced(started(lambda one: replace(one, fds=(*one.fds, ours)))):
            yield
    finally:
        os.close(ours)


def limits(*dropped: str) -> tuple[tuple[Owner, str, Any], ...]:
    """Processes without limits of those names."""
    ceilings, limited = profile.ceilings, profile.limited

    def fewer(said: list[str]) -> list[str]:
        return [word for word in said if not word.startswith(tuple(f"--{name}=" for name in dropped))]

    return (
        (profile, "ceilings", lambda *given: fewer(ceilings(*given))),
        (profile, "limited", lambda *given, **named: fewer(limited(*given, **named))),
    )


def unfiltered() -> tuple[Owner, str, Any]:
    """A filter of system calls that lets everything through."""
    return bot.sandbox, "program", lambda _: struct.pack("=HBBI", seccomp.RETURN, 0, 0, seccomp.ALLOW)


def uncalled() -> tuple[Owner, str, Any]:
    """The filter without the calls that it refuses by number."""
    return seccomp, "MACHINES", {name: replace(one, refused=()) for name, one in seccomp.MACHINES.items()}


def talkative() -> tuple[Owner, str, Any]:
    """Any amount of output."""
    return box, "exchange", lambda *given, **named: exchange(*given, **{**named, "output": 2**40})


SWITCHES: Mapping[str, Switch] = {
    "network": lambda: replaced(*without("--unshare-net")),
    "processes": lambda: replaced(*without("--unshare-pid")),
    "ipc": lambda: replaced(*without("--unshare-ipc")),
    "host name": lambda: replaced(*nameless()),
    "files": lambda: replaced(*shown()),
    "environment": inheriting,
    "read-only root": lambda: replaced(*without("--remount-ro", "/dev", "--remount-ro", "/")),
    "git mask": lambda: replaced((profile, "git_mask", lambda _: ())),
    "descriptors": lending,
    "devices": lambda: replaced(
        *without("--remount-ro", "/dev", "--remount-ro", "/"),
        *without("--dev", "/dev", instead=("--dev-bind", "/dev", "/dev"))[:1],
    ),
    "account": lambda: replaced((bot.sandbox, "dropped", lambda _: None)),
    "rights": lambda: replaced(*without("--cap-drop", "ALL", instead=("--cap-add", "ALL"))[:1]),
    "sockets": lambda: replaced((box, "sockets", lambda _: iter(())), (launch, "sockets", lambda _: iter(()))),
    "seccomp calls": lambda: replaced(uncalled()),
    "seccomp families": lambda: replaced((seccomp, "FAMILIES", (*seccomp.FAMILIES, 17, 38, 40))),
    "seccomp terminal": lambda: replaced((seccomp, "TYPING", (0, 0))),
    "seccomp machine": lambda: replaced((seccomp, "KILL", seccomp.ALLOW)),
    "namespaces": lambda: replaced(*without("--disable-userns"), unfiltered()),
    "processes watch": lambda: replaced((watch, "OURS", 2**30)),
    "processes limit": lambda: replaced(*limits("nproc"), (watch, "OURS", 2**30)),
    "limits": lambda: replaced(*limits("as", "fsize", "nofile", "core")),
    "memory limit": lambda: replaced(*limits("as"), (watch, "_resident", lambda _: 0)),
    "memory watch": lambda: replaced((watch, "_resident", lambda _: 0)),
    "shared memory watch": lambda: replaced((watch, "unmapped", lambda: 0)),
    "file size": lambda: replaced(*limits("fsize")),
    "open files": lambda: replaced(*limits("nofile")),
    "workspace watch": lambda: replaced((watch, "overgrown", lambda *_: False)),
    "scratch size": lambda: replaced((profile, "SCRATCH", tuple((place, 4096) for place, _ in profile.SCRATCH))),
    "output": lambda: replaced(talkative()),
}
"""By the name that drills give a restriction in their `checks`. Where two hold the same, both are taken away."""

COVERED: Mapping[str, str] = {
    "--disable-userns": "the filter of seccomp, which refuses unshare and clone with new namespaces",
    "seccomp clone and unshare": "--disable-userns",
    "--clearenv": "bot.machine.process, which gives every program its whole environment",
    "--nproc": "processes watch",
    "--as": "memory watch",
    "--new-session": "bot.machine.process starts a session, and no terminal is given",
    "kernel settings": "account: only the administrator may write there; --ro-bind /proc/sys is the belt",
    "--die-with-parent, timeout": "no cycle shows it: they hold when the bot is killed (see tests/bot/sandbox)",
    "--unshare-cgroup-try": "files: /sys is not there; only the name of a group could be read",
}
"""What no drill can tell, and what else holds it."""


def naming(check: str) -> tuple[Drill, ...]:
    """The drills that try a restriction."""
    return tuple(drill for drill in DRILLS if check in drill.checks)


def tried(arena: Arena, check: str, at_most: int = 99) -> tuple[Result, ...]:
    """How those drills end while it is taken away."""
    with SWITCHES[check]():
        return tuple(arena.run_one(drill) for drill in naming(check)[:at_most])
