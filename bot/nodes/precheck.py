"""precheck: may a cycle start, and on what? Cheap refusals first; the dear facts of base last."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.errors import SiteBroken
from bot.model import Ready, Refused, Trigger


class Branch(Protocol):
    """The configured branch of the remote."""

    def fetch(self) -> str:
        """The tip's commit id, its objects at hand."""

    def tree_of(self, commit: str) -> str:
        """The tree of a commit."""

    def committed_at(self, commit: str) -> datetime:
        """Its committer date, UTC."""

    def first_seen(self, commit: str) -> datetime:
        """When this machine first saw it as the tip."""


class Survey(Protocol):
    """Everything dear about base, measured or found measured."""

    def ready(self, trigger: Trigger, base: str, base_tree: str) -> Ready:
        """Raises SiteBroken where base itself cannot be loaded, asked or measured."""


class Precheck:
    """Ordinary code. `holds` are cheap reasons not to start, each a value or None."""

    def __init__(
        self,
        holds: Sequence[Callable[[Trigger], Refused | None]],
        branch: Branch,
        quiet_period: timedelta,
        survey: Callable[[], Survey],
    ) -> None:
        self._holds, self._branch, self._quiet_period, self._survey = holds, branch, quiet_period, survey

    def run(self, trigger: Trigger) -> Ready | Refused:
        """Everything that later nodes need, or a refusal; when it refuses, nothing downstream has an input."""
        for hold in self._holds:
            if refused := hold(trigger):
                return refused
        base = self._branch.fetch()
        if refused := recent(trigger, self._branch, base, self._quiet_period):
            return refused
        try:
            return self._survey().ready(trigger, base, self._branch.tree_of(base))
        except SiteBroken as error:
            return Refused("setup", "site-broken", f"base {base[:10]} does not work as it is: {error}")


def recent(trigger: Trigger, branch: Branch, tip: str, quiet_period: timedelta) -> Refused | None:
    """Too soon: the branch moved to that tip less than a quiet period ago."""
    now = datetime.fromisoformat(trigger.started)
    moved = branch.committed_at(tip)
    if moved > now:
        moved = branch.first_seen(tip)
    rest = quiet_period - max(now - moved, timedelta(0))
    if rest <= timedelta(0):
        return None
    minutes = max(1, round(rest.total_seconds() / 60))
    return Refused(
        "wait",
        "too-soon",
        f"the branch last moved at {moved:%Y-%m-%d %H:%M} UTC; cycle.quiet_period is over in {minutes} min",
    )
