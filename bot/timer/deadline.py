"""How long a cycle may take: its own deadline, how far a node may run beyond it, and when systemd steps in."""

from __future__ import annotations

from bot.cycle import cycle
from bot.frozen import frozen
from bot.graph import worst
from bot.settings import Settings

_SERVED = 65  # seconds that a served site may take to start and to fall silent, beside gate.seconds
_SESSIONS = 3  # of the candidate, and of both sides once more where they differ
_GIT = 180  # seconds after which a command that speaks to the remote is stopped
_COMMANDS = 4  # tip, push, tip, fetch
_PICTURES = 300  # of two trees, each with its time to start and to show five pages, after all is done
_SPARE = 120


@frozen
class Deadline:
    """Seconds. `own` is budget.minutes, looked at before each node and during each model call; `overrun` is the longest
    that a node which began just before it may still run; `systemd` lies above both. `visits` is the most of each node;
    `pictures` is what comes after the cycle has ended.
    """

    own: int
    overrun: int
    visits: dict[str, int]
    pictures: int = 0

    @property
    def systemd(self) -> int:
        """When the service manager ends what is still running, as whole minutes in seconds."""
        return -(-(self.own + self.overrun + self.pictures + _SPARE) // 60) * 60


def deadline(settings: Settings) -> Deadline:
    """What the graph and the configuration allow at worst."""
    gate = _SESSIONS * (settings.gate.seconds + _SERVED)
    overrun = max(gate, _COMMANDS * _GIT)
    pictures = 0 if settings.page.pictures == "never" else _PICTURES
    return Deadline(settings.budget.minutes * 60, overrun, worst(cycle(settings.cycle.repairs)), pictures)
