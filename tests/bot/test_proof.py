"""A table is broken in each way, and each time it is refused with the names at fault."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

import pytest

from bot.errors import GraphError
from bot.graph import Claim, Edge, Graph, Node, OnlyOpens, OnlyThrough, Passes
from bot.model import Committed, Reverted
from tests.support.toys import (
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
    No,
    Seed,
    Signatures,
    Yes,
    toy,
)


def without(source: str, when: type) -> tuple[Edge, ...]:
    return tuple(edge for edge in EDGES if (edge.source, edge.when) != (source, when))


def with_body(name: str, body: Callable[..., object]) -> tuple[Node, ...]:
    return tuple(dataclasses.replace(node, body=body) if node.name == name else node for node in NODES)


def refused(message: str, nodes: tuple[Node, ...] = NODES, edges: tuple[Edge, ...] = EDGES) -> None:
    with pytest.raises(GraphError, match=message):
        toy(nodes, edges)


def test_the_toy_is_proved_and_says_how() -> None:
    proofs = toy().proofs
    assert [proof.claim for proof in proofs] == [
        "every node and every type has a name of its own",
        "no node has two parameters that could take the same value",
        "every value that a node can return opens exactly one edge or ends the run",
        "every node can be reached",
        "every path ends",
        "every cycle passes a bounded edge",
        "every cycle withdraws its old values",
        "every value that a node needs stands whenever it runs",
    ]
    assert proofs[5].how == "without decide→mend at most 2 none is left"


def test_a_returned_type_without_an_edge_is_refused() -> None:
    refused("node decide can return No, for which it has no edge", edges=without("decide", No))


def test_two_edges_for_one_type_are_refused() -> None:
    refused(
        "node write: Draft opens more than one way: freeze, drop", edges=(*EDGES, Edge("write", "drop", when=Draft))
    )


def test_an_edge_for_a_type_that_also_ends_the_run_is_refused() -> None:
    edges = (*EDGES, Edge("finish", "drop", when=Committed))
    refused("node finish: Committed opens more than one way: drop, the end of the run", edges=edges)


def test_an_edge_for_a_type_that_its_source_does_not_return_is_refused() -> None:
    edges = (*EDGES, Edge("mend", "drop", when=No))
    refused("edge mend→drop opens on No, which mend does not return", edges=edges)


def test_an_edge_to_nowhere_is_refused() -> None:
    refused("has no node 'attic'", edges=(*without("write", Draft), Edge("write", "attic", when=Draft)))


def test_two_nodes_of_one_name_are_refused() -> None:
    refused("two nodes are named prepare", nodes=(*NODES, NODES[0]))


def test_two_types_of_one_name_are_refused() -> None:
    look_alike = type("Draft", (), {})

    def write(ground: Ground) -> Draft: ...  # type: ignore[empty-body]

    write.__annotations__["return"] = look_alike
    refused("two types are named Draft", nodes=with_body("write", write))


def test_a_node_that_cannot_be_reached_is_refused() -> None:
    class Island:
        def wait(self, seed: Seed) -> Committed: ...  # type: ignore[empty-body]

    refused("node island cannot be reached from prepare", nodes=(*NODES, Node("island", Island.wait, crash="again")))


def test_a_path_without_an_ending_is_refused() -> None:
    def ping(self: object, no: No) -> Fine: ...  # type: ignore[empty-body]

    def pong(self: object, fine: Fine) -> No: ...  # type: ignore[empty-body]

    nodes = (*with_body("drop", ping), Node("pong", pong, crash="again"))
    edges = (*EDGES, Edge("drop", "pong", when=Fine, at_most=1), Edge("pong", "drop", when=No))
    refused("from node drop no path leads to an ending", nodes, edges)


def test_a_cycle_without_a_bound_is_refused() -> None:
    edges = tuple(dataclasses.replace(edge, at_most=None) for edge in EDGES)
    refused("the cycle through .* passes no bounded edge", edges=edges)


def test_a_bound_below_zero_is_refused() -> None:
    edges = (*without("decide", Again), Edge("decide", "mend", when=Again, at_most=-1))
    refused("edge decide→mend may be passed at most -1 times", edges=edges)


def test_two_parameters_for_one_type_are_refused_with_both_names() -> None:
    def judge(self: object, frozen: Frozen, other: Frozen | Ground) -> Good | Bad: ...  # type: ignore[empty-body]

    refused("node judge: 'frozen' and 'other' could both take a Frozen", nodes=with_body("judge", judge))


def test_a_parameter_that_may_not_stand_is_refused() -> None:
    def decide(self: object, frozen: Frozen, second: Fine) -> Yes | Again | No: ...  # type: ignore[empty-body]

    refused("node decide needs Fine as 'second', but can be reached while only", nodes=with_body("decide", decide))


def test_a_parameter_that_stands_only_on_the_first_round_is_refused() -> None:
    """The re-entry withdraws Good; a walk that forgot it would let this pass."""

    def judge(self: object, ground: Ground, good: Good | Draft) -> Good | Bad: ...  # type: ignore[empty-body]

    toy(with_body("judge", judge))  # Draft stands always: it comes from outside the loop

    def starved(self: object, again: Again | Frozen, fine: Fine | Good | Bad | None) -> Good | Bad: ...  # type: ignore[empty-body]

    toy(with_body("judge", starved))

    def mend(self: object, fine: Fine) -> Mended: ...  # type: ignore[empty-body]

    refused("node mend needs Fine as 'fine'", nodes=with_body("mend", mend))


def test_a_cycle_that_does_not_come_back_to_its_entry_is_refused() -> None:
    """An inner cycle would go round without anything being withdrawn."""

    def second(self: object, frozen: Frozen, good: Good) -> Fine | Draft: ...  # type: ignore[empty-body]

    edges = (*EDGES, Edge("second", "judge", when=Draft, at_most=1))
    refused("the cycle through .* would keep stale values", with_body("second", second), edges)


def test_the_crossing_value_survives_the_re_entry() -> None:
    def freeze(self: object, work: Draft | Mended) -> Frozen: ...  # type: ignore[empty-body]

    def judge(self: object, work: Mended | None, frozen: Frozen) -> Good | Bad: ...  # type: ignore[empty-body]

    bodies: dict[str, Callable[..., object]] = {"freeze": freeze, "judge": judge}
    assert toy(tuple(dataclasses.replace(node, body=bodies.get(node.name, node.body)) for node in NODES)).proofs


CLAIMS: list[tuple[Claim, str]] = [
    (OnlyThrough("finish", source="decide", when=Yes), ""),
    (OnlyThrough("freeze", source="write", when=Draft), "but mend opens freeze with Mended"),
    (OnlyThrough("prepare", source="decide", when=Yes), "but no edge leads there, or a run starts there"),
    (OnlyThrough("cellar", source="decide", when=Yes), "has no node 'cellar'"),
    (OnlyOpens("decide", when=Yes, target="finish"), ""),
    (OnlyOpens("judge", when=Yes, target="finish"), "but it is returned by decide"),
    (OnlyOpens("decide", when=Yes, target="drop"), "but it opens finish"),
    (OnlyOpens("decide", when=Seed, target="drop"), "but it is returned by no node"),
    (OnlyOpens("finish", when=Committed, target="drop"), "but it opens nothing"),
    (Passes("mend", through="freeze", reaches="decide"), ""),
    (Passes("mend", through="second", reaches="decide"), "but there is a path from mend to decide without it"),
    (Passes("finish", through="second", reaches="mend"), "but no path leads from finish to mend at all"),
    (Passes("mend", through="attic", reaches="decide"), "has no node 'attic'"),
]


@pytest.mark.parametrize(("claim", "message"), CLAIMS)
def test_a_claim_is_proved_or_the_table_is_not_made(claim: Claim, message: str) -> None:
    def make() -> Graph:
        return Graph("toy", "prepare", (Seed,), NODES, EDGES, frozenset({Committed, Reverted}), (claim,))

    if message:
        with pytest.raises(GraphError, match=message):
            make()
    else:
        assert make().proofs[-1] == claim.prove(toy())


def test_a_forgotten_start_value_is_refused() -> None:
    with pytest.raises(GraphError, match="node prepare needs Seed as 'seed'"):
        Graph("toy", "prepare", (), NODES, EDGES, frozenset({Committed, Reverted}))


def test_the_real_signatures_are_not_hidden_from_the_proof() -> None:
    with pytest.raises(GraphError, match="node mend can return Frozen, for which it has no edge"):
        toy(with_body("mend", Signatures.freeze))
