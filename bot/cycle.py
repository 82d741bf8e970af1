"""The cycle as a table: eleven nodes, and the edge that each returned type opens."""

from __future__ import annotations

from bot.graph import Edge, Graph, Node, OnlyOpens, OnlyThrough, Passes
from bot.model import (
    Approve,
    Built,
    Committed,
    GateObjections,
    GatePassed,
    GuardObjections,
    GuardsPassed,
    Ready,
    Refused,
    Reject,
    Repair,
    Repaired,
    Reverted,
    ReviewApproved,
    ReviewObjections,
    ReviewUnreadable,
    ScopeObjections,
    Skipped,
    Snapshot,
    Trigger,
    Waiting,
)
from bot.nodes.build import Build
from bot.nodes.commit import Commit
from bot.nodes.decide import Decide
from bot.nodes.fix import Fix
from bot.nodes.gate import Gate
from bot.nodes.guards import Guards
from bot.nodes.precheck import Precheck
from bot.nodes.revert import Revert
from bot.nodes.scope import Scope
from bot.nodes.skipped import Skip
from bot.nodes.validate import Validate

NODES = (
    Node("precheck", Precheck.run, crash="again"),
    Node("build", Build.run, crash="restored", model=True),
    Node("scope", Scope.run, crash="again"),
    Node("guards", Guards.run, crash="again"),
    Node("gate", Gate.run, crash="again"),
    Node("validate", Validate.run, crash="restored", model=True),
    Node("decide", Decide.run, crash="again"),
    Node("fix", Fix.run, crash="restored", model=True),
    Node("commit", Commit.run, crash="again"),
    Node("revert", Revert.run, crash="again"),
    Node("skipped", Skip.run, crash="again"),
)


def edges(repairs: int) -> tuple[Edge, ...]:
    """Which type opens which way; the repair edge alone is bounded, and lands on scope."""
    return (
        Edge("precheck", "build", when=Ready),
        Edge("precheck", "skipped", when=Refused),
        Edge("build", "scope", when=Built),
        Edge("scope", "guards", when=Snapshot),
        Edge("scope", "decide", when=ScopeObjections),
        Edge("guards", "gate", when=GuardsPassed),
        Edge("guards", "decide", when=GuardObjections),
        Edge("gate", "validate", when=GatePassed),
        Edge("gate", "decide", when=GateObjections),
        Edge("validate", "decide", when=ReviewApproved),
        Edge("validate", "decide", when=ReviewObjections),
        Edge("validate", "decide", when=ReviewUnreadable),
        Edge("decide", "commit", when=Approve),
        Edge("decide", "revert", when=Reject),
        Edge("decide", "fix", when=Repair, at_most=repairs, stalls=Repair.stalls),
        Edge("fix", "scope", when=Repaired),
    )


CLAIMS = (
    OnlyThrough("commit", source="decide", when=Approve),
    OnlyThrough("fix", source="decide", when=Repair),
    OnlyThrough("validate", source="gate", when=GatePassed),
    OnlyThrough("build", source="precheck", when=Ready),
    OnlyOpens("precheck", when=Refused, target="skipped"),
    Passes("fix", through="scope", reaches="decide"),
    Passes("build", through="scope", reaches="decide"),
    Passes("build", through="decide", reaches="commit"),
)


def cycle(repairs: int = 3) -> Graph:
    """The graph, which proves itself as it is made. Raises GraphError."""
    return Graph(
        "cycle",
        start="precheck",
        given=(Trigger,),
        nodes=NODES,
        edges=edges(repairs),
        endings=frozenset({Committed, Waiting, Reverted, Skipped}),
        claims=CLAIMS,
    )
