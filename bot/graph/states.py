"""The walk over every state of a table: which types stand, and by which node, whenever a node is about to run."""

from __future__ import annotations

from bot.errors import GraphError
from bot.frozen import frozen
from bot.graph.node import Node, Parameter
from bot.graph.table import Edge, Table


@frozen
class State:
    """A node about to run, and the (type, producer) pairs that stand; the producer of what was given is empty."""

    node: str
    standing: frozenset[tuple[type, str]]

    @property
    def types(self) -> frozenset[type]:
        """The types that stand."""
        return frozenset(one for one, _ in self.standing)


def states(table: Table) -> frozenset[State]:
    """Every state in which a run of the table can be."""
    first = State(table.start, frozenset((given, "") for given in table.given))
    found, fresh = {first}, [first]
    while fresh:
        state = fresh.pop()
        for edge in table.out(state.node):
            after = _after(table, state, edge)
            if after not in found:
                found.add(after)
                fresh.append(after)
    return frozenset(found)


def _after(table: Table, state: State, edge: Edge) -> State:
    loop = table.loop_of(edge.target) if edge in table.reentries else frozenset()
    kept = {(one, by) for one, by in state.standing if by not in loop and one is not edge.when}
    return State(edge.target, frozenset(kept | {(edge.when, edge.source)}))


def starved(table: Table, found: frozenset[State]) -> None:
    """GraphError names the node and the parameter for which, in some state, nothing stands."""
    for state in sorted(found, key=lambda one: (one.node, sorted(kind.__name__ for kind in one.types))):
        for parameter in table.node(state.node).parameters:
            if not parameter.optional and not state.types.intersection(parameter.types):
                raise GraphError(_starves(table.node(state.node), parameter, state))


def _starves(node: Node, parameter: Parameter, state: State) -> str:
    wanted = " or ".join(one.__name__ for one in parameter.types)
    stand = ", ".join(sorted(one.__name__ for one in state.types))
    return f"node {node.name} needs {wanted} as {parameter.name!r}, but can be reached while only {stand} stands"
