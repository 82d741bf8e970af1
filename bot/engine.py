"""The engine walks a graph: it hands each node the values it names, records what comes back, and follows its type."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from bot.budget.governor import Governor
from bot.errors import BudgetSpent, JournalError, PlusoneError, shortage
from bot.graph import Graph
from bot.journal import Journal, Opening
from bot.model import Failed, Outcome
from bot.telling.ending import broken
from bot.walk import Walk

Restore = Callable[[str, Mapping[type, object]], None]
Break = Callable[[str], Outcome | None]


class Engine:
    """Runs one graph with its bodies, by node name. `on_restore(node, standing values)` remakes the workspace for a
    node that a crash met in flight and that reruns from a restored one. `on_break(cycle)` says what the run came to
    where its last node had done its work before something broke, and None otherwise."""

    def __init__(
        self, graph: Graph, bodies: Mapping[str, Callable[..., object]], journal: Journal, governor: Governor,
        on_restore: Restore, on_break: Break = lambda _: None,
    ) -> None:  # fmt: skip
        self._graph = graph
        self._bodies = bodies
        self._journal = journal
        self._governor = governor
        self._on_restore = on_restore
        self._on_break = on_break

    def run(self, opening: Opening) -> Outcome:
        """One run from the start to its outcome, recorded.

        Whatever a node raises but BudgetSpent closes the run as failed and is raised again, unless `on_break` tells
        of an outcome: then the work was done, and that outcome is the run's.
        """
        self._journal.open_run(opening)
        return self._finish(opening.cycle, Walk(self._graph, opening.given))

    def resume(self, cycle: str) -> Outcome:
        """Replay what a died process recorded of a run without calling a body, then go on from the node in flight.

        Raises JournalError, and writes nothing, where the run was recorded under another graph or is closed. A record
        that cannot be followed closes the run as failed and raises JournalError.
        """
        run = self._journal.run(cycle)
        if run.graph != self._graph.hash:
            ours = self._graph.hash[:12]
            raise JournalError(f"the run {cycle} was recorded under graph {run.graph[:12]}, this program has {ours}")
        self._journal.take_over(cycle)
        walk = Walk(self._graph, self._journal.value(run.given_type, run.given))
        return self._finish(cycle, walk, resumed=True)

    def _finish(self, cycle: str, walk: Walk, *, resumed: bool = False) -> Outcome:
        try:
            outcome = (self._replay(cycle, walk) if resumed else None) or self._steps(cycle, walk)
        except BudgetSpent as error:
            outcome = Failed(walk.node, str(error), error.stopped_by, tree=walk.tree)
        except BaseException as error:
            if made := self._made(cycle, walk):
                return self._closed(cycle, walk, made)
            with suppress(JournalError):  # what broke is the news; the next firing finds a row that stays open
                self._closed(cycle, walk, _broken(walk, shortage(error) or error))
            raise
        return self._closed(cycle, walk, outcome)

    def _made(self, cycle: str, walk: Walk) -> Outcome | None:
        """What the run came to before something broke, with the row that its last node was owed."""
        made = None
        with suppress(PlusoneError):  # it cannot be told: then what broke is what is known
            made = self._on_break(cycle)
        if made is not None:
            with suppress(JournalError):  # it had its row, and the break came after it
                self._journal.end(cycle, len(walk.path) + 1, made)
        return made

    def _replay(self, cycle: str, walk: Walk) -> Outcome | None:
        """Walk the recorded way again; None where a node is to run next, its workspace restored if it needs that."""
        for step in self._journal.steps(cycle):
            come = f"step {len(walk.path) + 1}, {walk.node}"
            if f"step {step.seq}, {step.node}" != come:
                raise JournalError(f"step {step.seq} was recorded at {step.node}, but its run had come to {come}")
            if step.type is None or step.value is None:
                continue  # it was in flight
            if outcome := walk.advance(self._journal.value(step.type, step.value)):
                return outcome
        if self._graph.node(walk.node).crash == "restored":
            self._on_restore(walk.node, walk.standing)
        return None

    def _steps(self, cycle: str, walk: Walk) -> Outcome:
        while True:
            seq = len(walk.path) + 1
            self._governor.check(len(walk.path))
            arguments = walk.arguments()
            self._journal.start(cycle, seq, walk.node)
            value = self._bodies[walk.node](**arguments)
            walk.edge(value)  # refused before it is recorded
            self._journal.end(cycle, seq, value)
            if outcome := walk.advance(value):
                return outcome

    def _closed(self, cycle: str, walk: Walk, outcome: Outcome) -> Outcome:
        self._journal.close(cycle, outcome, stage=walk.node, base=walk.base)
        return outcome


def _broken(walk: Walk, error: BaseException) -> Failed:
    """How a run ends that an exception ended."""
    status, reason = broken(error)
    return Failed(walk.node, reason, type(error).__name__, tree=walk.tree, exit_code=status)
