"""What a run has recorded so far, read back from its rows."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.codec import decode, encode
from bot.journal import Journal, Opening
from bot.model import Built, GateObjections, GatePassed, GuardsPassed, Repaired
from bot.operation.past import Past, verdict
from tests.support.toys import HandClock
from tests.support.values import CLAIM, OTHER, TREE, objection, ready, repair, snapshot, trigger

BETTER = replace(CLAIM, summary="Better words")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    journal = Journal(tmp_path / "journal.db", HandClock(), encode, decode)
    journal.open_run(Opening("c1", "g", trigger()))
    return journal


def past(journal: Journal, *steps: tuple[str, object]) -> Past:
    """The steps are written; one that returned None is in flight."""
    for seq, (node, value) in enumerate(steps, start=1):
        journal.start("c1", seq, node)
        if value is not None:
            journal.end("c1", seq, value)
    return Past.of(journal, "c1")


def test_a_run_without_rows_stands_at_precheck(journal: Journal) -> None:
    assert past(journal) == Past("precheck")
    assert Past("precheck").base is None


def test_a_node_in_flight_is_where_the_run_stands(journal: Journal) -> None:
    found = past(journal, ("precheck", ready()), ("build", None))
    assert (found.node, found.base, found.tree, found.claim) == ("build", ready().base, None, None)
    assert found.ready == ready()


def test_the_newest_tree_and_the_newest_claim_count(journal: Journal) -> None:
    found = past(
        journal,
        ("precheck", ready()),
        ("build", Built(CLAIM)),
        ("scope", snapshot(TREE)),
        ("decide", repair()),
        ("fix", Repaired(BETTER, TREE, ())),
        ("scope", snapshot(OTHER)),
        ("guards", None),
    )
    assert (found.node, found.tree, found.claim) == ("guards", OTHER, BETTER)


def test_a_builder_that_declined_has_no_claim(journal: Journal) -> None:
    assert past(journal, ("precheck", ready()), ("build", Built(None, "nothing"))).claim is None


def test_another_run_is_not_mixed_in(journal: Journal) -> None:
    past(journal, ("precheck", ready()))
    journal.open_run(Opening("c2", "g", trigger()))
    assert Past.of(journal, "c2") == Past("precheck")


PASSED, REFUSED = GatePassed(TREE, ()), GateObjections(TREE, (objection(),))
JUDGED = (("scope", snapshot(TREE)), ("guards", GuardsPassed(TREE, ("a/b",))), ("gate", REFUSED))


def test_the_very_same_snapshot_has_its_verdict(journal: Journal) -> None:
    past(journal, *JUDGED, ("decide", repair()), ("fix", Repaired(CLAIM, TREE, ())), ("scope", snapshot(TREE)))
    assert verdict(journal, "c1", "gate", snapshot(TREE)) == REFUSED
    assert verdict(journal, "c1", "guards", snapshot(TREE)) == GuardsPassed(TREE, ("a/b",))


def test_another_claim_about_the_same_tree_is_another_question(journal: Journal) -> None:
    """A part of the gate heeds the claim: a fixer that names the route it added may pass with the tree as it is."""
    past(journal, *JUDGED)
    assert verdict(journal, "c1", "gate", replace(snapshot(TREE), claim=BETTER)) is None
    assert verdict(journal, "c1", "gate", snapshot(OTHER)) is None
    assert verdict(journal, "c1", "gate", replace(snapshot(TREE), base="e" * 40)) is None


def test_a_verdict_belongs_to_the_snapshot_before_it_and_the_newest_counts(journal: Journal) -> None:
    past(journal, *JUDGED, ("scope", snapshot(OTHER)), ("gate", GatePassed(OTHER, ())), JUDGED[0], ("gate", PASSED))
    assert verdict(journal, "c1", "gate", snapshot(OTHER)) == GatePassed(OTHER, ())
    assert verdict(journal, "c1", "gate", snapshot(TREE)) == PASSED


def test_a_verdict_in_flight_at_a_crash_is_none_and_another_runs_is_not_ours(journal: Journal) -> None:
    past(journal, JUDGED[0], ("gate", None))
    assert verdict(journal, "c1", "gate", snapshot(TREE)) is None
    journal.open_run(Opening("c2", "g", trigger()))
    for seq, (node, value) in enumerate(JUDGED, start=1):
        journal.start("c2", seq, node)
        journal.end("c2", seq, value)
    assert verdict(journal, "c1", "gate", snapshot(TREE)) is None
