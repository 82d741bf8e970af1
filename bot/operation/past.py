"""What a run has recorded so far, in the few facts that others ask of it."""

from __future__ import annotations

from typing import Self

from bot.frozen import frozen
from bot.journal import Journal
from bot.model import Built, Claim, Ready, Repaired, Snapshot


@frozen
class Past:
    """The node that a run stands at, what precheck found, the newest tree that it made, and its newest claim.

    `patches` are the digests of all changes that it tried.
    """

    node: str
    ready: Ready | None = None
    tree: str | None = None
    claim: Claim | None = None
    patches: tuple[str, ...] = ()

    @property
    def base(self) -> str | None:
        """The commit that the run builds on, once it is known."""
        return self.ready.base if self.ready else None

    @classmethod
    def of(cls, journal: Journal, cycle: str) -> Self:
        """Read from the rows. Raises JournalError where they cannot be read."""
        steps = journal.steps(cycle)
        values = [journal.value(step.type, step.value) for step in steps if step.type and step.value]
        ready = next((one for one in values if isinstance(one, Ready)), None)
        claims = [one.claim for one in values if isinstance(one, Built | Repaired) and one.claim]
        patches = dict.fromkeys(one.patch for one in values if isinstance(one, Snapshot) and one.patch)
        trees = [step.tree for step in steps if step.tree]
        return cls(
            steps[-1].node if steps else "precheck",
            ready,
            trees[-1] if trees else None,
            claims[-1] if claims else None,
            tuple(patches),
        )


def verdict(journal: Journal, cycle: str, node: str, snapshot: Snapshot) -> object | None:
    """The newest value that a judging node returned in this run for the very same snapshot, its claim included.

    Another claim about the same tree is another question. Raises JournalError where a row cannot be read.
    """
    same, found = False, None
    for step in journal.steps(cycle):
        if step.type is None or step.value is None:
            continue  # in flight
        if step.node == "scope":
            same = journal.value(step.type, step.value) == snapshot
        elif step.node == node and same:
            found = journal.value(step.type, step.value)
    return found
