"""decide, over all combinations of what can stand."""

from __future__ import annotations

from itertools import product

import pytest

from bot.errors import StaleVerdict
from bot.model import (
    Approve,
    GateObjections,
    GatePassed,
    GuardObjections,
    GuardsPassed,
    Reject,
    Repair,
    ReviewApproved,
    ReviewObjections,
    ReviewUnreadable,
    ScopeObjections,
    Snapshot,
)
from bot.nodes.decide import Decide
from tests.support import values

COMBINATIONS = list(product(values.scopes(), values.guards(), values.gates(), values.reviews()))


@pytest.mark.parametrize(("scope", "guards", "gate", "review"), COMBINATIONS)
def test_the_decision_follows_from_what_stands_and_from_nothing_else(scope, guards, gate, review) -> None:  # type: ignore[no-untyped-def]
    decision = Decide().run(scope, guards, gate, review)

    all_passed = (
        isinstance(scope, Snapshot)
        and isinstance(guards, GuardsPassed)
        and isinstance(gate, GatePassed)
        and isinstance(review, ReviewApproved)
    )
    assert isinstance(decision, Approve) == all_passed, "approval means that all four passed, and only that"
    mendable = (
        isinstance(scope, Snapshot)
        and isinstance(guards, GuardsPassed)
        and (
            isinstance(gate, GateObjections) or (isinstance(gate, GatePassed) and isinstance(review, ReviewObjections))
        )
    )
    assert isinstance(decision, Repair) == mendable, "only gate and review objections are repairable"


def test_there_are_as_many_combinations_as_types_that_can_stand() -> None:
    assert len(COMBINATIONS) == 2 * 3 * 3 * 4


@pytest.mark.parametrize("late", range(3))
@pytest.mark.parametrize("scope", values.scopes())
def test_a_verdict_about_another_tree_is_an_error_that_names_both(scope: Snapshot | ScopeObjections, late: int) -> None:
    verdicts: list[object] = [values.guards()[1], values.gates()[1], values.reviews()[1]]
    verdicts[late] = (values.guards, values.gates, values.reviews)[late](values.OTHER)[1]
    with pytest.raises(StaleVerdict) as caught:
        Decide().run(scope, *verdicts)  # type: ignore[arg-type]
    assert type(verdicts[late]).__name__ in str(caught.value)
    assert type(scope).__name__ in str(caught.value)
    assert values.OTHER[:10] in str(caught.value)


def test_a_verdict_stands_against_a_scope_that_made_no_tree() -> None:
    with pytest.raises(StaleVerdict):
        Decide().run(ScopeObjections(None, (values.objection("scope"),)), values.guards()[1], None, None)


def test_an_approval_carries_the_snapshot_the_keys_and_the_evidence() -> None:
    decision = Decide().run(values.snapshot(), values.guards()[1], values.gates()[1], values.reviews()[1])
    assert isinstance(decision, Approve)
    assert decision.tree == values.TREE
    assert decision.adds == ("articles/harbour-lights",)
    assert [one.part for one in decision.evidence] == ["lint"]
    assert decision.reasons == ("fine",)


@pytest.mark.parametrize(
    ("verdicts", "stage"),
    [
        ((values.guards()[2], None, None), "guards"),
        ((values.guards()[1], values.gates()[1], ReviewUnreadable(values.TREE, "unreadable")), "validate"),
    ],
)
def test_a_rejection_names_the_stage_and_the_claim(verdicts, stage: str) -> None:  # type: ignore[no-untyped-def]
    decision = Decide().run(values.snapshot(), *verdicts)
    assert isinstance(decision, Reject)
    assert (decision.stage, decision.claim, decision.tree) == (stage, values.CLAIM, values.TREE)


def test_guards_object_before_the_gate_is_asked() -> None:
    decision = Decide().run(values.snapshot(), GuardObjections(values.TREE, (values.objection("guards"),)), None, None)
    assert isinstance(decision, Reject)


def test_a_repair_carries_the_review_objections_when_the_gate_passed() -> None:
    review = ReviewObjections(values.TREE, (values.objection("validate", where=""),))
    decision = Decide().run(values.snapshot(), values.guards()[1], values.gates()[1], review)
    assert isinstance(decision, Repair)
    assert decision.objections == review.objections
