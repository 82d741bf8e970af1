"""Which visit of which node is under way: the agent says it, the transports ask."""

from __future__ import annotations

from bot.frozen import frozen


@frozen
class Visit:
    """One stay of the cycle at one node; visits of a node are counted from 1."""

    node: str
    number: int


class Visits:
    """Where the cycle stands now. One object is shared by an agent and its transports."""

    def __init__(self) -> None:
        self._now = Visit("", 0)

    def enter(self, node: str, number: int) -> None:
        """From here on, exchanges belong to this visit."""
        self._now = Visit(node, number)

    def now(self) -> Visit:
        """The visit under way."""
        return self._now
