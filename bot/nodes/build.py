"""build: the agent makes one small change in a fresh workspace."""

from __future__ import annotations

from collections.abc import Callable

from bot.model import Built, Ready
from bot.ports import Agent, Workspace

Brief = Callable[[Ready], tuple[str, str]]


class Build:
    """Speaks to a model. `brief` writes the system prompt and the task."""

    def __init__(self, agent: Agent, workspace: Workspace, brief: Brief) -> None:
        self._agent, self._workspace, self._brief = agent, workspace, brief

    def run(self, ready: Ready) -> Built:
        """One visit on a fresh export of base; what the agent says of it is a claim, not evidence."""
        self._workspace.restore(ready.base_tree)
        reply = self._agent.build(*self._brief(ready), self._workspace.root)
        return Built(reply.claim, reply.declined)
