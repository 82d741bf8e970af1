"""commit: push exactly the approved tree on exactly the base, once."""

from __future__ import annotations

from typing import Literal, Protocol

from bot.model import Approve, Committed, Ready, Reverted, Waiting


class Publisher(Protocol):
    """What commit asks of the store and the live checkout."""

    def write(self, ready: Ready, approve: Approve) -> str:
        """The commit's id: a function of base, tree, claim and the cycle's start alone."""

    def push(self, commit: str, ready: Ready) -> Literal["pushed", "lost"]:
        """Compare and swap; a push that already happened counts as pushed."""

    def rescue(self, commit: str, ready: Ready) -> str:
        """Keep the judged commit under a ref, and say which."""

    def hold(self, commit: str, ready: Ready) -> str:
        """Keep the judged commit for the person who is to approve of it, and say where."""

    def release(self, ready: Ready) -> None:
        """Keep it no longer: it is on the branch."""

    def follow(self, commit: str, ready: Ready) -> str:
        """Fast-forward the live checkout where one is configured; a note of what was done."""


class Commit:
    """Ordinary code, and the only node that writes outside the machine's own state; `ask` leaves that to a person."""

    def __init__(self, publisher: Publisher, ask: bool = False) -> None:
        self._publisher, self._ask = publisher, ask

    def run(self, ready: Ready, approve: Approve) -> Committed | Waiting | Reverted:
        """Committed when the remote shows it; a lost race, a dry run or a wait for a person changes nothing there."""
        commit = self._publisher.write(ready, approve)
        if ready.dry_run:
            where = self._publisher.rescue(commit, ready)
            return _reverted(approve, f"dry run: would commit {commit[:10]}, {_title(approve)}; kept under {where}")
        if self._ask:
            where = self._publisher.hold(commit, ready)
            return Waiting(commit, approve.tree, f"{_title(approve)} waits for `plusone approve`; kept under {where}")
        return deliver(self._publisher, commit, ready, approve)


def deliver(publisher: Publisher, commit: str, ready: Ready, approve: Approve) -> Committed | Reverted:
    """Push the judged commit, at once or when a person has approved of it."""
    where = publisher.rescue(commit, ready)  # first of all, so that no way of failing loses it
    if publisher.push(commit, ready) == "lost":
        return _reverted(approve, f"lost the race: {ready.branch} moved meanwhile; kept under {where}")
    publisher.release(ready)
    note = publisher.follow(commit, ready)
    return Committed(commit, approve.tree, f"added {_title(approve)}", approve.adds, note)


def _title(approve: Approve) -> str:
    return f"{approve.snapshot.claim.kind} {approve.snapshot.claim.key}"


def _reverted(approve: Approve, reason: str) -> Reverted:
    return Reverted("commit", reason, (), approve.tree, approve.snapshot.claim)
