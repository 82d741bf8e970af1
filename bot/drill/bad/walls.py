"""Bad builders that try the sandbox's walls: each says itself whether it got through, and then hands nothing in."""

from __future__ import annotations

from bot.drill.drill import Drill, Play
from bot.drill.moves import ESCAPED, TRIED, decline, python
from bot.drill.result import escaped
from bot.drill.scene import Scene


def attack(body: str) -> Play:
    """Run a program that prints ESCAPED where it got through; its own mistakes count as stopped."""
    program = f"""\
import os, socket, sys
def escaped(what): print("{ESCAPED}", what, flush=True)
try:
{"".join(f"    {line}{chr(10)}" for line in body.splitlines())}
except OSError as error:
    print("stopped:", error)
print("{TRIED}", flush=True)
"""
    return Play([python(program), decline()], harm=escaped)


def _network(_: Scene) -> Play:
    return attack(
        "names = [name for _, name in socket.if_nameindex()]\n"
        "if names != ['lo']: escaped('it sees ' + ', '.join(names))\n"
        "socket.create_connection(('192.0.2.1', 80), timeout=2)\n"
        "escaped('it reaches the network')"
    )


WALLS = (Drill("talks-to-the-network", "looks for interfaces and connects to the outside", _network, ("network",)),)
