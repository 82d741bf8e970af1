"""revert: nothing leaves the machine; the record says why."""

from __future__ import annotations

from bot.model import Reject, Reverted
from bot.ports import Workspace


class Revert:
    """Throws the workspace away; every snapshot that was made stays under its ref."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def run(self, reject: Reject) -> Reverted:
        """The rejection as an outcome."""
        self._workspace.discard()
        return Reverted(reject.stage, reject.reason, reject.objections, reject.tree, reject.claim)
