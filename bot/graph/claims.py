"""Named safety claims about one table, for its owner to state beside it."""

from __future__ import annotations

from bot.errors import GraphError
from bot.frozen import frozen
from bot.graph.table import Proof, Table


@frozen
class OnlyThrough:
    """`target` is entered from `source` alone, and by a value of type `when` alone."""

    target: str
    source: str
    when: type

    def prove(self, table: Table) -> Proof:
        """By listing the edges into `target`; GraphError names the one that should not be there."""
        claim = f"{self.target} is reached only through {self.source} with {self.when.__name__}"
        ways = [edge for edge in table.edges if edge.target == table.node(self.target).name]
        if strange := [edge for edge in ways if (edge.source, edge.when) != (self.source, self.when)]:
            other = strange[0]
            raise GraphError(f"{claim}: but {other.source} opens {other.target} with {other.when.__name__}")
        if not ways or self.target == table.start:
            raise GraphError(f"{claim}: but no edge leads there, or a run starts there")
        return Proof(claim, f"it is the one edge into {self.target}")


@frozen
class OnlyOpens:
    """A value of type `when` is returned by `source` alone and opens `target` alone."""

    source: str
    when: type
    target: str

    def prove(self, table: Table) -> Proof:
        """By listing who returns it and what it opens; GraphError names the exception."""
        claim = f"{self.when.__name__} comes from {self.source} alone and opens {self.target} alone"
        makers = [node.name for node in table.nodes if self.when in node.returns]
        opened = [edge.target for edge in table.edges if edge.when is self.when]
        if makers != [self.source]:
            raise GraphError(f"{claim}: but it is returned by {', '.join(makers) or 'no node'}")
        if opened != [self.target]:
            raise GraphError(f"{claim}: but it opens {', '.join(opened) or 'nothing'}")
        return Proof(claim, f"one of {len(table.nodes)} nodes returns it, one of {len(table.edges)} edges takes it")


@frozen
class Passes:
    """Whatever goes from `before` to `reaches` passes `through`."""

    before: str
    through: str
    reaches: str

    def prove(self, table: Table) -> Proof:
        """By taking `through` out of the table; GraphError where `reaches` can still be reached."""
        claim = f"from {self.before} to {self.reaches} every path passes {self.through}"
        for name in (self.before, self.through, self.reaches):
            table.node(name)
        if self.reaches not in table.reachable(self.before):
            raise GraphError(f"{claim}: but no path leads from {self.before} to {self.reaches} at all")
        if self.reaches in table.reachable(self.before, without=self.through):
            raise GraphError(f"{claim}: but there is a path from {self.before} to {self.reaches} without it")
        return Proof(claim, f"without {self.through} no path is left")
