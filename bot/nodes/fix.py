"""fix: the agent mends what the gate or the reviewer objected to, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.model import Claim, Ready, Repair, Repaired, Snapshot
from bot.ports import Agent, Workspace

Brief = Callable[[Ready, Repair, tuple[str, ...]], tuple[str, str]]


class Fix:
    """Speaks to a model. `agents_tree` is a snapshot's tree without what the bot itself added to it."""

    def __init__(
        self,
        agent: Agent,
        workspace: Workspace,
        brief: Brief,
        agents_tree: Callable[[Snapshot], str],
        visit: Callable[[], int],
    ) -> None:
        self._agent, self._workspace, self._brief = agent, workspace, brief
        self._agents_tree, self._visit = agents_tree, visit

    def run(self, ready: Ready, repair: Repair) -> Repaired:
        """One visit on a fresh export of the rejected tree, so that a repair depends on recorded values alone."""
        snapshot = repair.snapshot
        may_touch = touchable(repair)
        tree = self._agents_tree(snapshot)
        self._workspace.restore(tree)
        reply = self._agent.fix(*self._brief(ready, repair, may_touch), self._workspace.root, self._visit())
        return Repaired(amended(snapshot.claim, reply.claim), tree, may_touch)


def touchable(repair: Repair) -> tuple[str, ...]:
    """The files of the rejected change, and the files that gate objections name; a reviewer's words add none."""
    named = {one.file for one in repair.objections if one.node == "gate" and one.file}
    return tuple(sorted(named | set(repair.snapshot.paths)))


def amended(claim: Claim, submitted: Claim | None) -> Claim:
    """A fix may say its change better; it may not turn it into another one."""
    return claim if submitted is None else replace(submitted, kind=claim.kind, key=claim.key)
