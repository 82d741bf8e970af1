"""What walking the table and keeping the journal add to the nodes' own time."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path

from bot.budget.governor import Governor
from bot.codec import decode, encode
from bot.cycle import cycle
from bot.engine import Engine
from bot.journal import Journal, Opening
from bot.machine.clock import SystemClock
from bot.model import (
    Approve,
    Built,
    Committed,
    Evidence,
    GatePassed,
    GuardsPassed,
    ReviewApproved,
    Trigger,
)
from tests.bench.figure import Figure
from tests.bench.timing import ms, paired
from tests.support.values import CLAIM, TREE, ready, snapshot

ROUNDS = 60
EVIDENCE = tuple(Evidence(part, {"files": 143, "new": 0}, "a tool 1.2.3") for part in ("lint", "catalogue", "routes"))
ADDS = ("articles/harbour-lights",)
STRAIGHT: dict[str, object] = {
    "precheck": ready(),
    "build": Built(CLAIM),
    "scope": snapshot(TREE, *(f"src/lights/content/{number}.py" for number in range(8))),
    "guards": GuardsPassed(TREE, ADDS, EVIDENCE),
    "gate": GatePassed(TREE, EVIDENCE),
    "validate": ReviewApproved(TREE, ("it does what the claim says",) * 5),
    "decide": Approve(snapshot(), ADDS, EVIDENCE),
    "commit": Committed("c0ffee" * 6 + "c0ff", TREE, "one article", ADDS),
}


def engine() -> list[Figure]:
    """A straight cycle of the real table whose nodes do nothing, beside calling those nodes one after the other."""
    bodies: dict[str, Callable[..., object]] = {name: _saying(value) for name, value in STRAIGHT.items()}
    graph, clock, numbers = cycle(), SystemClock(), count()
    with tempfile.TemporaryDirectory(prefix="plusone-bench-") as folder:
        journal = Journal(Path(folder, "journal.db"), clock, encode, decode)

        def walk() -> None:
            name = f"20261130T040000Z-{next(numbers):04x}"
            opening = Opening(name, graph.hash, Trigger(name, "2026-11-30T04:00:00+00:00"))
            outcome = Engine(graph, bodies, journal, Governor(clock, 600.0), lambda _node, _values: None).run(opening)
            assert isinstance(outcome, Committed)

        pair = paired(ROUNDS, walk, lambda: [body() for body in bodies.values()])
        journal.shut()
    commits = 2 * len(bodies) + 2
    detail = f"{ms(min(pair.ours))} at best, {ms(max(pair.ours))} at worst, {commits} commits to the journal"
    what = f"engine and journal, a cycle of {len(bodies)} nodes"
    return [Figure("engine", what, pair.added * 1000, "ms", 5.0, detail)]


def _saying(value: object) -> Callable[..., object]:
    return lambda **_: value
