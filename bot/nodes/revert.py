"""revert: nothing leaves the machine; the record says why."""

from __future__ import annotations

from collections.abc import Callable

from bot.model import Reject, Reverted


class Revert:
    """Throws the workspace away; every snapshot that was made stays under its ref."""

    def __init__(self, discard: Callable[[], None]) -> None:
        self._discard = discard

    def run(self, reject: Reject) -> Reverted:
        """The rejection as an outcome."""
        self._discard()
        return Reverted(reject.stage, reject.reason, reject.objections, reject.tree, reject.claim)
