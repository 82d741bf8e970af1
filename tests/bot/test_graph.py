"""What the table says of itself."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from typing import TYPE_CHECKING, Optional

import pytest

from bot.errors import GraphError
from bot.graph import Node, worst
from bot.model import Committed
from tests.support.toys import EDGES, NODES, Again, Bad, Draft, Fine, Good, Mended, Seed, Signatures, Yes, toy

if TYPE_CHECKING:
    from decimal import Decimal


class Odd:
    def old_optional(self, one: Optional[Seed]) -> Good: ...  # type: ignore[empty-body]  # noqa: UP045

    def bare(self, one) -> Good: ...  # type: ignore[no-untyped-def,empty-body]

    def listed(self, many: list[Seed]) -> Good: ...  # type: ignore[empty-body]

    def silent(self, one: Seed) -> Good | None: ...

    def hidden(self, one: Decimal) -> Good: ...  # type: ignore[empty-body]


def node(body: object) -> Node:
    return Node("odd", body, crash="again")  # type: ignore[arg-type]


def test_a_signature_tells_required_optional_and_alternative_parameters() -> None:
    parameters = Node("decide", Signatures.decide, crash="again").parameters
    assert [(one.name, one.types, one.optional) for one in parameters] == [
        ("frozen", (toy().edge("freeze", parameters[0].types[0]).when,), False),  # type: ignore[union-attr]
        ("judged", (Good, Bad), False),
        ("second", (Fine,), True),
    ]


def test_an_optional_of_the_old_spelling_is_read_the_same() -> None:
    assert [(one.types, one.optional) for one in node(Odd.old_optional).parameters] == [((Seed,), True)]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (Odd.bare, "node odd: 'one' has no annotation"),
        (Odd.listed, "node odd: 'many' is annotated with list"),
        (Odd.hidden, "node odd: an annotation is not importable at run time"),
    ],
)
def test_an_unreadable_parameter_is_refused_by_name(body: object, message: str) -> None:
    with pytest.raises(GraphError, match=message):
        _ = node(body).parameters


def test_a_node_that_may_return_none_is_refused() -> None:
    with pytest.raises(GraphError, match="node odd may return None"):
        _ = node(Odd.silent).returns


def test_the_loop_and_its_re_entry_are_found() -> None:
    graph = toy()
    assert graph.loops == (frozenset({"freeze", "judge", "second", "decide", "mend"}),)
    assert [edge.name for edge in graph.reentries] == ["mend→freeze"]


def test_an_unknown_node_is_refused_with_the_known_ones() -> None:
    with pytest.raises(GraphError, match="table toy has no node 'sculpt'; it has prepare, write"):
        toy().node("sculpt")


def test_the_worst_case_follows_from_the_bounds() -> None:
    counts = worst(toy())
    assert {name: counts[name] for name in ("prepare", "write", "freeze", "mend", "finish")} == {
        "prepare": 1,
        "write": 1,
        "freeze": 3,
        "mend": 2,
        "finish": 1,
    }


def test_the_order_of_rows_does_not_change_the_hash() -> None:
    assert toy(tuple(reversed(NODES)), tuple(reversed(EDGES))).hash == toy().hash


def test_the_hash_is_the_same_in_another_process() -> None:
    ask = "from tests.support.toys import toy; print(toy().hash)"
    said = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == toy().hash


@pytest.mark.parametrize(
    "change",
    [{"crash": "restored"}, {"model": True}, {"name": "prepare", "body": Signatures.prepare, "crash": "restored"}],
)
def test_another_node_is_another_hash(change: dict[str, object]) -> None:
    first = dataclasses.replace(NODES[0], **change)  # type: ignore[arg-type]
    assert toy((first, *NODES[1:])).hash != toy().hash


def test_another_bound_is_another_hash() -> None:
    edges = tuple(dataclasses.replace(edge, at_most=1) if edge.at_most else edge for edge in EDGES)
    assert toy(edges=edges).hash != toy().hash


def test_another_return_type_is_another_hash() -> None:
    def finish(self: object, yes: Yes) -> Committed: ...  # type: ignore[empty-body]

    nodes = tuple(dataclasses.replace(one, body=finish) if one.name == "finish" else one for one in NODES)
    assert toy(nodes).hash != toy().hash


def test_an_edge_opens_on_the_exact_type_only() -> None:
    class Louder(Draft):
        pass

    assert toy().edge("write", Draft) is not None
    assert toy().edge("write", Louder) is None
    assert toy().edge("mend", Again) is None
    assert toy().edge("mend", Mended) is not None
