"""The configured branch as precheck sees it, and when this machine first saw a tip."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.journal import Journal
from bot.ports import Clock
from bot.store.repository import Store

SEEN = "first-seen"


class Tip:
    """Implements `bot.nodes.precheck.Branch`. The store is opened when it is first asked, after the cheap refusals."""

    def __init__(self, store: Callable[[], Store], branch: str, journal: Journal, clock: Clock) -> None:
        self._store, self._branch, self._journal, self._clock = store, branch, journal, clock

    def fetch(self) -> str:
        """The tip's commit id, fetched."""
        return self._store().fetch(self._branch)

    def known(self) -> str | None:
        """The tip that was fetched last; the remote is not asked."""
        return self._store().known(self._branch)

    def tree_of(self, commit: str) -> str:
        """The tree of a commit."""
        return self._store().tree_of(commit)

    def committed_at(self, commit: str) -> datetime:
        """Its committer date."""
        return self._store().committed_at(commit)

    def first_seen(self, commit: str) -> datetime:
        """Now, the first time that this is asked of a commit; that same moment ever after.

        A moment that is still to come was noted by a clock that has been put back since: it counts as now.
        """
        noted = (self._journal.note(SEEN) or "").split()
        now = self._clock.now()
        if len(noted) == 2 and noted[0] == commit and datetime.fromisoformat(noted[1]) <= now:
            return datetime.fromisoformat(noted[1])
        self._journal.set_note(SEEN, f"{commit} {now.isoformat()}")
        return now
