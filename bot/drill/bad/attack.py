"""Attacks on the sandbox: programs that say themselves whether they got through. They end without handing in."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.drill import Play
from bot.drill.moves import ESCAPED, TRIED, decline, python
from bot.drill.result import escaped
from bot.drill.scene import Scene
from bot.drill.trace import Trace

INTERPRETER = "python3"  # the agent's search path has the site's own first
CUT = "[stopped: "  # how the tool says that a limit ended the command
BEGINNING = f"""\
import ctypes, mmap, os, platform, resource, socket, sys, time
LIBC = ctypes.CDLL(None, use_errno=True)
INTEL = platform.machine() == "x86_64"
def escaped(what):
    print("{ESCAPED}", what, flush=True)
def attempt(what, act, *given):
    try:
        act(*given)
    except OSError as error:
        print("stopped:", what, error.strerror, flush=True)
    else:
        escaped(what)
def call(what, intel, arm, *given):
    number = intel if INTEL else arm
    if LIBC.syscall(number, *(one if isinstance(one, bytes) else ctypes.c_long(one) for one in given)) >= 0:
        escaped(what)
def held(*lines):
    return [line for line in lines if os.path.lexists(line)]
try:
"""
ENDING = f"""\
except (OSError, MemoryError) as error:
    print("stopped:", repr(error), flush=True)
print("{TRIED}", flush=True)
"""


def program(body: str) -> str:
    """The text of a program that does the body, whose own errors count as stopped, and says that it came to its end."""
    return BEGINNING + "".join(f"    {line}\n" for line in body.splitlines()) + ENDING


def attack(*bodies: str) -> Play:
    """Run a program for each body, in commands of their own; each prints ESCAPED where it got through."""
    return Play([*(python(program(body), INTERPRETER) for body in bodies), decline()], harm=escaped)


def flood(body: str) -> Play:
    """The same for a program that a limit may also end before its end."""
    return Play([python(program(body), INTERPRETER), decline()], harm=flooded)


def flooded(trace: Trace) -> str:
    """The harm of an attack on a limit: being cut short is what should happen to it."""
    return "" if CUT in trace.printed and ESCAPED not in trace.printed else escaped(trace)


def always(play: Callable[..., Play], *bodies: str) -> Callable[[Scene], Play]:
    """The play for every site."""
    return lambda _: play(*bodies)
