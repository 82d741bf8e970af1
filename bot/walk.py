"""Where a run stands on its graph: the node, the values that stand, and how often each bounded edge was passed."""

from __future__ import annotations

from collections import Counter

from bot.errors import IllegalTransition
from bot.graph import Edge, Graph
from bot.model import Failed, Outcome


class Walk:
    """One run's way through a graph. It calls no body, so that a record is replayed by the very same steps."""

    def __init__(self, graph: Graph, given: object) -> None:
        self.graph = graph
        self.node = graph.start
        self.path: list[str] = []
        self._standing: dict[type, tuple[object, str]] = {type(given): (given, "")}  # newest last
        self._offered: dict[Edge, list[object]] = {}
        self.passed: Counter[str] = Counter()

    @property
    def standing(self) -> dict[type, object]:
        """The values that stand, the newest last."""
        return {kind: value for kind, (value, _) in self._standing.items()}

    @property
    def tree(self) -> str | None:
        """The tree that the newest value with one quotes."""
        return self._quoted("tree")

    @property
    def base(self) -> str | None:
        """The base that the newest value with one quotes."""
        return self._quoted("base")

    def _quoted(self, name: str) -> str | None:
        found = (getattr(value, name, None) for value in reversed(self.standing.values()))
        return next((one for one in found if isinstance(one, str)), None)

    def arguments(self) -> dict[str, object]:
        """For each parameter of the node the newest standing value of its types, or None where none stands."""
        newest = [*reversed(self.standing.items())]
        return {
            parameter.name: next((value for kind, value in newest if kind in parameter.types), None)
            for parameter in self.graph.node(self.node).parameters
        }

    def edge(self, value: object) -> Edge | None:
        """The edge that the value opens; None where it ends the run. Raises IllegalTransition for any other type."""
        edge = self.graph.edge(self.node, type(value))
        if edge is None and type(value) not in self.graph.node(self.node).returns:
            known = ", ".join(kind.__name__ for kind in self.graph.node(self.node).returns)
            raise IllegalTransition(f"node {self.node} returned {type(value).__name__}; its table knows {known}")
        return edge

    def advance(self, value: object) -> Outcome | None:
        """Take the way that the value opens. None: there is a next node; else the outcome that ends the run."""
        edge = self.edge(value)
        self.path.append(self.node)
        if edge is None:
            if not isinstance(value, Outcome):
                raise IllegalTransition(f"node {self.node} ended the run with a {type(value).__name__}, no outcome")
            return value
        if edge.at_most is not None and (stop := self._bound(edge, edge.at_most, value)):
            return stop
        if edge in self.graph.reentries:
            self._withdraw(self.graph.loop_of(edge.target))
        self._standing.pop(edge.when, None)
        self._standing[edge.when] = (value, edge.source)
        self.node = edge.target
        return None

    def _withdraw(self, loop: frozenset[str]) -> None:
        self._standing = {kind: held for kind, held in self._standing.items() if held[1] not in loop}

    def _bound(self, edge: Edge, at_most: int, value: object) -> Failed | None:
        offered = self._offered.setdefault(edge, [])
        if any(edge.stalls(value, earlier) for earlier in offered):
            return self._failed(edge, value, f"no progress: {edge.source} asked again for what was done before")
        if len(offered) >= at_most:
            return self._failed(edge, value, f"not converged: {edge.name} was passed {at_most} times, the most allowed")
        offered.append(value)
        self.passed[edge.name] += 1
        return None

    def _failed(self, edge: Edge, value: object, reason: str) -> Failed:
        tree = getattr(value, "tree", None) or self.tree
        return Failed(edge.source, reason, edge.name, getattr(value, "objections", ()), tree, exit_code=1)
