"""One drill: a builder that is scripted, what it stands for, and the checks that it is there to try."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from bot.frozen import frozen

if TYPE_CHECKING:
    from bot.drill.scene import Scene
    from bot.drill.trace import Trace

Block = dict[str, object]
Turn = list[Block]
Visit = list[Turn]
Harm = Callable[["Trace"], str]


class NotHere(Exception):
    """The drill does not apply to this site; the reason is its text."""


def harmless(_: Trace) -> str:
    """For a drill that can only do harm by being committed."""
    return ""


@frozen
class Play:
    """A script of the builder, and of a fixer and a reviewer who stand on its side.

    `harm` looks at what the cycle left and names the harm that was done although nothing was committed. Those of
    `before` are played in the same place first, and may come to anything.
    """

    build: Visit
    fix: tuple[Visit, ...] = ()
    validate: tuple[Visit, ...] = ()
    harm: Harm = harmless
    before: tuple[Play, ...] = ()

    def script(self) -> dict[str, list[Visit]]:
        """As a script file holds it: a fixer who adds nothing, and a reviewer who approves, as often as asked."""
        return {
            "build": [self.build],
            "fix": [*self.fix, *(DONE,) * (SPARE - len(self.fix))],
            "validate": [*self.validate, *(APPROVES,) * (SPARE - len(self.validate))],
        }


SPARE = 6
DONE: Visit = [[{"type": "text", "text": "There is nothing that I would change."}]]
APPROVES: Visit = [[{"type": "text", "text": '{"verdict": "approve", "reasons": ["It is as claimed."]}'}]]


@frozen
class Drill:
    """`compose` writes the play for a site, or raises NotHere with the reason.

    A bad one (`good` False) must be stopped; `checks` are the names of those that it tries, the first being the one
    that should stop it. A good one must be committed.
    """

    name: str
    story: str
    compose: Callable[[Scene], Play]
    checks: tuple[str, ...] = field(default=())
    good: bool = False
