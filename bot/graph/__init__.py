"""The process as a table: nodes return values, the type of a value opens exactly one edge, and the table is proved."""

from bot.graph.claims import OnlyOpens, OnlyThrough, Passes
from bot.graph.graph import Graph
from bot.graph.node import Node, Parameter
from bot.graph.proof import worst
from bot.graph.table import Claim, Edge, Proof, Table

__all__ = [
    "Claim",
    "Edge",
    "Graph",
    "Node",
    "OnlyOpens",
    "OnlyThrough",
    "Parameter",
    "Passes",
    "Proof",
    "Table",
    "worst",
]
