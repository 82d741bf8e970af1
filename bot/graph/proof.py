"""The proofs that every table must pass before it may run."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

from bot.errors import GraphError
from bot.graph.node import Node
from bot.graph.states import starved, states
from bot.graph.table import Edge, Proof, Table, reach


def prove(table: Table) -> tuple[Proof, ...]:
    """Prove the table well formed, then its own claims. Raises GraphError at the first proof that fails."""
    checks = (_named, _told_apart, _total, _reachable, _ending, _bounded, _reentered, _fed)
    return (*(check(table) for check in checks), *(claim.prove(table) for claim in table.claims))


def worst(table: Table) -> dict[str, int]:
    """How often each node can run at most in one run, by the bounds of the edges."""
    return {node.name: _visits(table, node.name) for node in table.nodes}


def _visits(table: Table, name: str) -> int:
    loop = table.loop_of(name)
    inside = sum(edge.at_most or 0 for edge in table.edges if edge.source in loop and edge.target in loop)
    ways = [edge.at_most for edge in table.edges if edge.target == name]
    entered = [bound for bound in ways if bound is not None]
    if name != table.start and len(entered) == len(ways):
        return min(1 + inside, sum(entered))
    return 1 + inside


def _named(table: Table) -> Proof:
    names = [node.name for node in table.nodes]
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise GraphError(f"two nodes are named {twice[0]}")
    table.node(table.start)
    for edge in table.edges:
        table.node(edge.source), table.node(edge.target)
    seen: dict[str, type] = {}
    for kind in _types(table):
        if seen.setdefault(kind.__name__, kind) is not kind:
            raise GraphError(f"two types are named {kind.__name__}: the journal could not tell them apart")
    return Proof("every node and every type has a name of its own", f"{len(names)} nodes, {len(seen)} types")


def _types(table: Table) -> list[type]:
    asked = [kind for node in table.nodes for parameter in node.parameters for kind in parameter.types]
    made = [kind for node in table.nodes for kind in node.returns]
    return [*table.given, *asked, *made, *(edge.when for edge in table.edges), *table.endings]


def _told_apart(table: Table) -> Proof:
    for node in table.nodes:
        for one, other in combinations(node.parameters, 2):
            if both := set(one.types) & set(other.types):
                kind = sorted(kind.__name__ for kind in both)[0]
                raise GraphError(f"node {node.name}: {one.name!r} and {other.name!r} could both take a {kind}")
    return Proof("no node has two parameters that could take the same value", "their types were compared in pairs")


def _total(table: Table) -> Proof:
    count = sum(_opens_one(table, node, kind) for node in table.nodes for kind in node.returns)
    for edge in table.edges:
        if edge.when not in table.node(edge.source).returns:
            raise GraphError(f"edge {edge.name} opens on {edge.when.__name__}, which {edge.source} does not return")
    return Proof("every value that a node can return opens exactly one edge or ends the run", f"{count} types counted")


def _opens_one(table: Table, node: Node, kind: type) -> int:
    ways = [edge for edge in table.out(node.name) if edge.when is kind]
    if len(ways) + (kind in table.endings) == 1:
        return 1
    if not ways:
        raise GraphError(f"node {node.name} can return {kind.__name__}, for which it has no edge")
    targets = [edge.target for edge in ways] + (["the end of the run"] if kind in table.endings else [])
    raise GraphError(f"node {node.name}: {kind.__name__} opens more than one way: {', '.join(targets)}")


def _reachable(table: Table) -> Proof:
    if lost := [node.name for node in table.nodes if node.name not in table.reachable(table.start)]:
        raise GraphError(f"node {lost[0]} cannot be reached from {table.start}")
    return Proof("every node can be reached", f"walked from {table.start}")


def _ending(table: Table) -> Proof:
    last = {node.name for node in table.nodes if table.endings.intersection(node.returns)}
    if stuck := [node.name for node in table.nodes if not last & table.reachable(node.name)]:
        raise GraphError(f"from node {stuck[0]} no path leads to an ending")
    return Proof("every path ends", f"an ending can be reached from all {len(table.nodes)} nodes")


def _bounded(table: Table) -> Proof:
    if wrong := [edge for edge in table.edges if edge.at_most is not None and edge.at_most < 0]:
        raise GraphError(f"edge {wrong[0].name} may be passed at most {wrong[0].at_most} times")
    if loop := _cycle(tuple(edge for edge in table.edges if edge.at_most is None)):
        raise GraphError(f"the cycle through {loop.source} and {loop.target} passes no bounded edge")
    bounds = ", ".join(f"{edge.name} at most {edge.at_most}" for edge in table.edges if edge.at_most is not None)
    return Proof("every cycle passes a bounded edge", f"without {bounds} none is left" if bounds else "there is none")


def _reentered(table: Table) -> Proof:
    if loop := _cycle(tuple(edge for edge in table.edges if edge not in table.reentries)):
        raise GraphError(f"the cycle through {loop.source} and {loop.target} would keep stale values: "
                         "it does not come back to where its loop is entered")  # fmt: skip
    ways = ", ".join(sorted(edge.name for edge in table.reentries))
    return Proof("every cycle withdraws its old values", f"it re-enters by {ways}" if ways else "there is none")


def _cycle(edges: tuple[Edge, ...]) -> Edge | None:
    return next((edge for edge in edges if edge.source in reach(edge.target, edges)), None)


def _fed(table: Table) -> Proof:
    found = states(table)
    starved(table, found)
    return Proof("every value that a node needs stands whenever it runs", f"walked {len(found)} states")
