"""commit: push exactly the approved tree on exactly the base, once."""

from __future__ import annotations

from typing import Literal, Protocol

from bot.model import Approve, Committed, Ready, Reverted


class Publisher(Protocol):
    """What commit asks of the store and the live checkout."""

    def write(self, ready: Ready, approve: Approve) -> str:
        """The commit's id: a function of base, tree, claim and the cycle's start alone."""

    def push(self, commit: str, ready: Ready) -> Literal["pushed", "lost"]:
        """Compare and swap; a push that already happened counts as pushed."""

    def rescue(self, commit: str, ready: Ready) -> str:
        """Keep the judged commit under a ref, and say which."""

    def release(self, ready: Ready) -> None:
        """Keep it no longer: it is on the branch."""

    def follow(self, commit: str, ready: Ready) -> str:
        """Fast-forward the live checkout where one is configured; a note of what was done."""


class Commit:
    """Ordinary code, and the only node that writes outside the machine's own state."""

    def __init__(self, publisher: Publisher) -> None:
        self._publisher = publisher

    def run(self, ready: Ready, approve: Approve) -> Committed | Reverted:
        """Committed when the remote shows it; a lost race or a dry run changes nothing there."""
        commit = self._publisher.write(ready, approve)
        where = self._publisher.rescue(commit, ready)  # first of all, so that no way of failing loses it
        title = f"{approve.snapshot.claim.kind} {approve.snapshot.claim.key}"
        if ready.dry_run:
            return _reverted(approve, f"dry run: would commit {commit[:10]}, {title}; kept under {where}")
        if self._publisher.push(commit, ready) == "lost":
            return _reverted(approve, f"lost the race: {ready.branch} moved meanwhile; kept under {where}")
        self._publisher.release(ready)
        note = self._publisher.follow(commit, ready)
        return Committed(commit, approve.tree, f"added {title}", approve.adds, note)


def _reverted(approve: Approve, reason: str) -> Reverted:
    return Reverted("commit", reason, (), approve.tree, approve.snapshot.claim)
