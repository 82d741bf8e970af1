"""What stands after each step, above all after the loop is entered again."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from bot.errors import IllegalTransition
from bot.graph import Graph
from bot.graph.states import states
from bot.model import Failed
from bot.walk import Walk
from tests.support.toys import (
    DONE,
    EDGES,
    NODES,
    Again,
    Bad,
    Draft,
    Fine,
    Frozen,
    Good,
    Ground,
    Mended,
    Seed,
    Yes,
    toy,
)

FIRST_ROUND = (Ground(), Draft(), Frozen("tree1"), Good("tree1"), Fine("tree1"))


def walked(*values: object) -> Walk:
    walk = Walk(toy(), Seed())
    for value in values:
        assert walk.advance(value) is None
    return walk


def test_values_from_inside_the_loop_are_withdrawn_at_re_entry() -> None:
    walk = walked(*FIRST_ROUND, Again("spelling", "tree1"), Mended("m"), Frozen("tree2"), Bad("tree2"))
    assert walk.arguments() == {"frozen": Frozen("tree2"), "judged": Bad("tree2"), "second": None}


def test_values_from_outside_the_loop_stay_at_re_entry() -> None:
    walk = walked(*FIRST_ROUND, Again("spelling", "tree1"), Mended("m"))
    assert walk.arguments()["ground"] == Ground()


def test_the_value_that_crosses_is_the_newest_at_re_entry() -> None:
    walk = walked(*FIRST_ROUND, Again("spelling", "tree1"), Mended("m"))
    assert walk.arguments()["work"] == Mended("m")


def test_the_crossing_value_is_withdrawn_by_the_next_crossing_only() -> None:
    second_round = (Again("b", "tree1"), Mended("m"), Frozen("tree2"), Bad("tree2"))
    walk = walked(*FIRST_ROUND, *second_round, Again("c", "tree2"), Mended("n"))
    assert walk.standing == {Seed: Seed(), Ground: Ground(), Draft: Draft(), Mended: Mended("n")}


def test_the_newest_of_two_alternatives_is_handed_over() -> None:
    walk = walked(Ground(), Draft("first"))
    assert walk.arguments()["work"] == Draft("first")


def returning_the_seed() -> Graph:
    """A toy whose repair crosses with a type that stood before the loop was entered."""

    def freeze(self: object, work: Draft | Seed) -> Frozen: ...  # type: ignore[empty-body]

    def mend(self: object, again: Again) -> Seed: ...  # type: ignore[empty-body]

    bodies: dict[str, Callable[..., object]] = {"freeze": freeze, "mend": mend}
    nodes = tuple(dataclasses.replace(node, body=bodies.get(node.name, node.body)) for node in NODES)
    edges = tuple(dataclasses.replace(edge, when=Seed) if edge.source == "mend" else edge for edge in EDGES)
    return toy(nodes, edges)


def test_a_type_that_comes_again_is_the_newest_and_stands_once() -> None:
    walk = Walk(returning_the_seed(), Seed("first"))
    for value in FIRST_ROUND:
        walk.advance(value)
    walk.advance(Again("spelling", "tree1"))
    walk.advance(Seed("second"))
    assert walk.arguments() == {"work": Seed("second")}
    for state in states(returning_the_seed()):
        assert len(state.types) == len(state.standing)


def test_the_proof_walks_the_same_states_as_the_run() -> None:
    entered = {state.types for state in states(toy()) if state.node == "freeze"}
    assert entered == {frozenset({Seed, Ground, Draft}), frozenset({Seed, Ground, Draft, Mended})}


@pytest.mark.parametrize("value", [None, Seed(), Fine("tree1"), DONE])
def test_a_type_that_the_table_does_not_know_is_an_illegal_transition(value: object) -> None:
    walk = walked(Ground())
    with pytest.raises(IllegalTransition, match=rf"node write returned {type(value).__name__}; its table knows Draft"):
        walk.advance(value)


def test_an_ending_must_be_an_outcome() -> None:
    edges = tuple(edge for edge in toy().edges if edge.when is not Yes)
    graph = toy(tuple(node for node in toy().nodes if node.name != "finish"), edges, (*toy().endings, Yes))
    walk = Walk(graph, Seed())
    for value in FIRST_ROUND:
        walk.advance(value)
    with pytest.raises(IllegalTransition, match="node decide ended the run with a Yes, no outcome"):
        walk.advance(Yes("tree1"))


def round_of(number: int) -> tuple[object, ...]:
    tree = f"tree{number}"
    return (Again(f"flaw{number}", tree), Mended("m"), Frozen(tree), Bad(tree))


def test_the_bound_is_passed_exactly_so_often_and_then_ends_the_run() -> None:
    walk = walked(*FIRST_ROUND, *round_of(1), *round_of(2))
    outcome = walk.advance(Again("flaw3", "tree3"))
    assert outcome == Failed(
        "decide", "not converged: decide→mend was passed 2 times, the most allowed", "decide→mend", (), "tree3"
    )
    assert walk.passed["decide→mend"] == 2


def test_an_equal_offer_ends_the_run_at_once() -> None:
    walk = walked(*FIRST_ROUND, *round_of(1))
    outcome = walk.advance(Again("flaw1", "tree1"))
    assert isinstance(outcome, Failed)
    assert outcome.reason.startswith("no progress: decide asked again")
    assert outcome.stopped_by == "decide→mend"
    assert walk.passed["decide→mend"] == 1


def test_the_tree_and_the_base_are_those_of_the_newest_value_with_one() -> None:
    walk = walked(*FIRST_ROUND)
    assert (walk.tree, walk.base) == ("tree1", "base0")
    assert (Walk(toy(), Seed()).tree, Walk(toy(), Seed()).base) == (None, None)
