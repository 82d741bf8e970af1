"""The three decisions, and what each carries onward."""

from __future__ import annotations

from bot.frozen import frozen
from bot.model.change import Claim, Snapshot
from bot.model.objection import Evidence, Objection


@frozen
class Approve:
    """The only value that opens the way to a write."""

    snapshot: Snapshot
    adds: tuple[str, ...]
    evidence: tuple[Evidence, ...]
    reasons: tuple[str, ...] = ()

    @property
    def tree(self) -> str:
        """The tree that ships."""
        return self.snapshot.tree


@frozen
class Repair:
    """Worth mending. Two are equal when they object to the same things, whatever the tree, line, prose or seconds."""

    snapshot: Snapshot
    objections: tuple[Objection, ...]

    @property
    def tree(self) -> str:
        """The rejected tree."""
        return self.snapshot.tree

    @property
    def identity(self) -> frozenset[tuple[str, str, str]]:
        """The set of (code, path, subject)."""
        return frozenset(objection.identity for objection in self.objections)

    def __eq__(self, other: object) -> bool:
        return self.identity == other.identity if isinstance(other, Repair) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.identity)

    def stalls(self, earlier: Repair) -> bool:
        """No progress since `earlier`: the same objections, or the very tree that was repaired already."""
        return self == earlier or self.tree == earlier.tree


@frozen
class Reject:
    """Nothing to mend; the stage says which judge ended it."""

    stage: str
    reason: str
    objections: tuple[Objection, ...] = ()
    tree: str | None = None
    claim: Claim | None = None


Decision = Approve | Repair | Reject
