"""The table as data: edges, endings, and what follows from them by looking."""

from __future__ import annotations

import hashlib
import json
import operator
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

from bot.errors import GraphError
from bot.frozen import frozen
from bot.graph.node import Node

Stalls = Callable[[Any, Any], bool]  # the graph never looks into a value: only the edge's owner knows its type


@frozen
class Edge:
    """The way from source to target that a value of exactly the type `when` opens.

    It may be passed `at_most` times (None: no bound of its own); a bounded edge that is offered a value for which
    `stalls(value, earlier)` holds against any earlier one ends the run.
    """

    source: str
    target: str
    when: type
    at_most: int | None = None
    stalls: Stalls = operator.eq

    @property
    def name(self) -> str:
        """For people, and for `stopped_by`."""
        return f"{self.source}→{self.target}"


@frozen
class Proof:
    """A claim about a table, and how it was proved."""

    claim: str
    how: str


class Claim(Protocol):
    """Something that must hold of a table beyond its being well formed."""

    def prove(self, table: Table) -> Proof:
        """The proof; GraphError with the names in its message where the claim does not hold."""


@dataclass(frozen=True)
class Table:
    """Nodes, edges, the types that stand at the start and the types that end a run; not proved yet."""

    name: str
    start: str
    given: tuple[type, ...]
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    endings: frozenset[type]
    claims: tuple[Claim, ...] = ()

    def node(self, name: str) -> Node:
        """The node of that name, or GraphError."""
        for node in self.nodes:
            if node.name == name:
                return node
        raise GraphError(f"table {self.name} has no node {name!r}; it has {', '.join(one.name for one in self.nodes)}")

    def out(self, name: str) -> tuple[Edge, ...]:
        """The edges that leave a node, in the table's order."""
        return tuple(edge for edge in self.edges if edge.source == name)

    def edge(self, name: str, when: type) -> Edge | None:
        """The edge that this type opens at this node, or None."""
        return next((edge for edge in self.edges if edge.source == name and edge.when is when), None)

    def reachable(self, origin: str, without: str = "") -> frozenset[str]:
        """Every node that a path of edges leads to from `origin`, itself included, past no node named `without`."""
        return reach(origin, (edge for edge in self.edges if without not in (edge.source, edge.target)))

    @cached_property
    def loops(self) -> tuple[frozenset[str], ...]:
        """The strongly connected components that hold a cycle."""
        ahead = {node.name: self.reachable(node.name) for node in self.nodes}
        parts = {frozenset(other for other in ahead[name] if name in ahead[other]) for name in ahead}
        return tuple(sorted((part for part in parts if self._cyclic(part)), key=sorted))

    def _cyclic(self, part: frozenset[str]) -> bool:
        return any(edge.source in part and edge.target in part for edge in self.edges)

    def loop_of(self, name: str) -> frozenset[str]:
        """The loop in which a node lies; empty where it lies in none."""
        return next((loop for loop in self.loops if name in loop), frozenset())

    @cached_property
    def reentries(self) -> frozenset[Edge]:
        """The edges inside a loop into a node of it that is also entered from outside."""
        return frozenset(edge for loop in self.loops for edge in self.edges if self._reenters(edge, loop))

    def _reenters(self, edge: Edge, loop: frozenset[str]) -> bool:
        entered = {other.target for other in self.edges if other.source not in loop} | {self.start}
        return edge.source in loop and edge.target in loop & entered

    @cached_property
    def hash(self) -> str:
        """The same for the same name, nodes, signatures, edges, bounds and endings; SHA-256 in hex."""
        nodes = [
            [node.name, node.crash, node.model, [[p.name, _names(p.types), p.optional] for p in node.parameters],
             _names(node.returns)]
            for node in self.nodes
        ]  # fmt: skip
        edges = [[edge.source, edge.target, *_names((edge.when,)), edge.at_most] for edge in self.edges]
        whole = [self.name, self.start, _names(self.given), sorted(nodes), sorted(edges), _names(self.endings)]
        return hashlib.sha256(json.dumps(whole).encode()).hexdigest()


def reach(origin: str, edges: Iterable[Edge]) -> frozenset[str]:
    """What `origin` leads to by these edges, itself included."""
    found, fresh, known = {origin}, [origin], tuple(edges)
    while fresh:
        name = fresh.pop()
        for edge in known:
            if edge.source == name and edge.target not in found:
                found.add(edge.target)
                fresh.append(edge.target)
    return frozenset(found)


def _names(types: Iterable[type]) -> list[str]:
    return sorted(f"{one.__module__}.{one.__qualname__}" for one in types)
