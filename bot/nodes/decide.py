"""decide: fold four verdicts about one tree into one decision; the only way to a write."""

from __future__ import annotations

from bot.errors import StaleVerdict
from bot.model import (
    Approve,
    Decision,
    GateObjections,
    GatePassed,
    GuardObjections,
    GuardsPassed,
    Reject,
    Repair,
    Review,
    ReviewApproved,
    ReviewObjections,
    ReviewUnreadable,
    ScopeObjections,
    Snapshot,
)

Guards = GuardsPassed | GuardObjections
Gate = GatePassed | GateObjections


class Decide:
    """Ordinary code; it holds nothing."""

    def run(
        self, snapshot: Snapshot | ScopeObjections, guards: Guards | None, gate: Gate | None, review: Review | None
    ) -> Approve | Repair | Reject:
        """Approve only with three passing verdicts that quote the snapshot's own tree. Raises StaleVerdict."""
        for verdict in (guards, gate, review):
            if verdict is not None and verdict.tree != snapshot.tree:
                raise StaleVerdict(
                    f"{type(verdict).__name__} judged tree {verdict.tree[:10]}, but {type(snapshot).__name__} is about "
                    f"{(snapshot.tree or 'no tree')[:10]}: this is a fault of the program, please report it"
                )
        if isinstance(snapshot, ScopeObjections):
            return _scope(snapshot)
        return _guards(snapshot, guards) or _gate(snapshot, gate) or _review(snapshot, guards, gate, review)


def _scope(scope: ScopeObjections) -> Reject:
    return Reject("scope", _words(scope.objections[0].what), scope.objections, scope.tree, scope.claim)


def _guards(snapshot: Snapshot, guards: Guards | None) -> Reject | None:
    if isinstance(guards, GuardsPassed):
        return None
    if guards is None:
        return Reject("guards", "there is no verdict of the guards", (), snapshot.tree, snapshot.claim)
    return Reject("guards", _words(guards.objections[0].what), guards.objections, snapshot.tree, snapshot.claim)


def _gate(snapshot: Snapshot, gate: Gate | None) -> Decision | None:
    if isinstance(gate, GatePassed):
        return None
    if gate is None:
        return Reject("gate", "there is no verdict of the gate", (), snapshot.tree, snapshot.claim)
    return Repair(snapshot, gate.objections)


def _review(snapshot: Snapshot, guards: Guards | None, gate: Gate | None, review: Review | None) -> Decision:
    match review:
        case ReviewApproved() if isinstance(guards, GuardsPassed) and isinstance(gate, GatePassed):
            return Approve(snapshot, guards.adds, guards.evidence + gate.evidence, review.reasons)
        case ReviewObjections():
            return Repair(snapshot, review.objections)
        case ReviewUnreadable():
            return Reject("validate", review.reason, (), snapshot.tree, snapshot.claim)
        case _:
            return Reject("validate", "there is no verdict of the reviewer", (), snapshot.tree, snapshot.claim)


def _words(text: str) -> str:
    return text or "an objection without words"
