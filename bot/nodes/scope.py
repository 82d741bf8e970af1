"""scope: freeze the workspace into a git tree object, or say what in it may not become one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from bot.model import Built, Claim, Objection, Ready, Repaired, ScopeObjections, Snapshot


class Freezer(Protocol):
    """What scope asks of the store and the workspace."""

    def freeze(self, base: str, base_tree: str, claim: Claim) -> Snapshot | tuple[Objection, ...]:
        """Walk, check the paths, write the tree, and compare it with the walk."""

    def changed(self, before: str, after: str) -> tuple[str, ...]:
        """The paths in which two trees differ."""

    def keep(self, cycle: str, tree: str) -> None:
        """Keep the tree under a ref until retention."""


class Scope:
    """Ordinary code over the agent's folder."""

    def __init__(self, freezer: Callable[[], Freezer]) -> None:
        self._freezer = freezer

    def run(self, ready: Ready, work: Built | Repaired) -> Snapshot | ScopeObjections:
        """The snapshot that every later verdict quotes; a repaired one may differ only where it was allowed to."""
        claim = work.claim
        if claim is None:
            return ScopeObjections(None, (_unclaimed(work),))
        freezer = self._freezer()
        frozen = freezer.freeze(ready.base, ready.base_tree, claim)
        if not isinstance(frozen, Snapshot):
            return ScopeObjections(None, frozen, claim)
        freezer.keep(ready.cycle, frozen.tree)
        if isinstance(work, Repaired) and (widened := tuple(_widened(work, frozen, freezer))):
            return ScopeObjections(frozen.tree, widened, claim)
        return frozen


def _unclaimed(work: Built | Repaired) -> Objection:
    declined = work.declined if isinstance(work, Built) else ""
    if declined:
        return Objection("declined", "scope", "", "", f"the builder declined: {declined}")
    return Objection(
        "no-claim",
        "scope",
        "",
        "",
        "the builder ended without saying what it added",
        accept="call submit when the addition is finished, or decline with a reason",
    )


def _widened(work: Repaired, snapshot: Snapshot, freezer: Freezer) -> list[Objection]:
    """What the fixer itself changed, the bot's own files aside, must lie within what it was allowed to touch."""
    own = {change.path for change in snapshot.changes if change.by == "bot"}
    touched = set(freezer.changed(work.rejected, snapshot.tree)) - own
    return [
        Objection(
            "repair-widened",
            "scope",
            path,
            path,
            f"the repair changed {path}, which neither the change nor a gate objection names",
            accept=f"touch only {', '.join(work.may_touch)}",
        )
        for path in sorted(touched - set(work.may_touch))
    ]
