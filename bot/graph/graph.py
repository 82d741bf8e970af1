"""A table that holds: it is proved as it is made, or it is not made."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from bot.graph.proof import prove
from bot.graph.table import Proof, Table


@dataclass(frozen=True)
class Graph(Table):
    """A proved table. Making it raises GraphError, with the names at fault, where any proof fails."""

    def __post_init__(self) -> None:
        _ = self.proofs

    @cached_property
    def proofs(self) -> tuple[Proof, ...]:
        """Every claim about this table with its proof: those of any table first, then its own."""
        return prove(self)
