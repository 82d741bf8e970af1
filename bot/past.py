"""What a run has recorded so far, in the few facts that others ask of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from bot.journal import Journal
from bot.model import Built, Claim, Ready, Repaired, Snapshot


@dataclass(frozen=True, slots=True)
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
