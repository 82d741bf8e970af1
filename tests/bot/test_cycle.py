"""The real table with the real engine, journal and `decide`: what a repair makes judges see again, and its bound."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.budget.governor import Governor
from bot.codec import decode, encode
from bot.cycle import cycle
from bot.engine import Engine
from bot.errors import StaleVerdict
from bot.journal import Journal, Opening
from bot.model import (
    Built,
    Committed,
    Failed,
    GateObjections,
    GatePassed,
    GuardObjections,
    GuardsPassed,
    Objection,
    Outcome,
    Repaired,
    Reverted,
    ReviewApproved,
    ReviewObjections,
    ScopeObjections,
)
from bot.nodes.decide import Decide
from tests.support.toys import HandClock, Script
from tests.support.values import CLAIM, objection, ready, snapshot, trigger

READY, BUILT = ready(), Built(CLAIM)
DONE = Committed("e" * 40, "2" * 40, "added article harbour-lights")
TREES = [str(number) * 40 for number in range(1, 6)]


def passed(tree: str) -> GuardsPassed:
    return GuardsPassed(tree, ("articles/harbour-lights",))


def fine(tree: str) -> GatePassed:
    return GatePassed(tree, ())


def broken(tree: str, code: str = "E501") -> GateObjections:
    return GateObjections(tree, (objection("gate", code),))


def mended(number: int) -> Repaired:
    return Repaired(CLAIM, TREES[number], ("src/a.py",))


@dataclass
class Run:
    """A run of the real table; only `decide` is real, the other bodies return what is written down."""

    script: Script
    journal: Journal
    repairs: int = 3
    decided: list[Mapping[str, object]] = field(default_factory=list)

    def go(self) -> Outcome:
        clock, graph = HandClock(), cycle(self.repairs)
        bodies = {**self.script.bodies, "decide": self._decide}
        engine = Engine(graph, bodies, self.journal, Governor(clock, 60.0), lambda *_: None)
        return engine.run(Opening(READY.cycle, graph.hash, trigger()))

    @property
    def path(self) -> list[str]:
        return list(self.journal.run(READY.cycle).path)

    def _decide(self, **handed: object) -> object:
        self.decided.append(handed)
        return Decide().run(**handed)  # type: ignore[arg-type]


def run(folder: Path, repairs: int = 3, **lines: list[object]) -> Run:
    """Precheck and build go well; the other nodes return their lines, one a visit."""
    values: dict[str, list[object]] = {"precheck": [READY], "build": [BUILT], "commit": [DONE], **lines}
    values.setdefault("revert", [Reverted("scope", "no")])
    return Run(Script(values), Journal(folder / "journal.db", HandClock(), encode, decode), repairs)


@pytest.fixture
def repaired(tmp_path: Path) -> Run:
    """The gate objects once, the fixer mends it, all judges approve."""
    return run(
        tmp_path,
        scope=[snapshot(TREES[0]), snapshot(TREES[1])],
        guards=[passed(TREES[0]), passed(TREES[1])],
        gate=[broken(TREES[0]), fine(TREES[1])],
        validate=[ReviewApproved(TREES[1], ("fine",))],
        fix=[mended(0)],
    )


def test_a_repaired_snapshot_is_judged_anew_by_every_judge(repaired: Run) -> None:
    assert repaired.go() == DONE
    first, second = ["precheck", "build", "scope", "guards", "gate", "decide", "fix"], ["scope", "guards", "gate"]
    assert repaired.path == [*first, *second, "validate", "decide", "commit"]
    for judge in ("guards", "gate"):
        assert repaired.script.handed(judge, 2)["snapshot"] == snapshot(TREES[1])
    assert repaired.script.handed("validate", 1)["gate"] == fine(TREES[1])


def test_what_precheck_found_stands_throughout(repaired: Run) -> None:
    repaired.go()
    for name, visit in (("scope", 2), ("guards", 2), ("gate", 2), ("validate", 1), ("fix", 1), ("commit", 1)):
        assert repaired.script.handed(name, visit)["ready"] == READY


def test_scope_sees_the_repair_and_no_longer_what_was_built(repaired: Run) -> None:
    repaired.go()
    assert repaired.script.handed("scope", 1)["work"] == BUILT
    assert repaired.script.handed("scope", 2)["work"] == mended(0)


def test_a_rejection_goes_straight_to_decide_and_no_reviewer_is_paid(repaired: Run) -> None:
    repaired.go()
    assert repaired.decided[0] == {
        "snapshot": snapshot(TREES[0]), "guards": passed(TREES[0]), "gate": broken(TREES[0]), "review": None,
    }  # fmt: skip


def test_old_verdicts_are_withdrawn_when_a_repair_is_judged(tmp_path: Path) -> None:
    against = GuardObjections(TREES[1], (objection("guards"),))
    case = run(
        tmp_path,
        scope=[snapshot(TREES[0]), snapshot(TREES[1])],
        guards=[passed(TREES[0]), against],
        gate=[fine(TREES[0])],
        validate=[ReviewObjections(TREES[0], (objection("validate", where=""),))],
        fix=[mended(0)],
    )
    assert isinstance(case.go(), Reverted)
    assert case.decided[1] == {"snapshot": snapshot(TREES[1]), "guards": against, "gate": None, "review": None}


def test_a_repair_that_may_not_become_a_snapshot_ends_in_a_revert(tmp_path: Path) -> None:
    widened = ScopeObjections(TREES[1], (objection("scope", "repair-widened"),), CLAIM)
    case = run(
        tmp_path,
        scope=[snapshot(TREES[0]), widened],
        guards=[passed(TREES[0])],
        gate=[broken(TREES[0])],
        fix=[mended(0)],
    )
    assert isinstance(case.go(), Reverted)
    assert case.decided[1] == {"snapshot": widened, "guards": None, "gate": None, "review": None}


@pytest.mark.parametrize("judge", ["guards", "gate", "validate"])
def test_a_verdict_about_another_tree_is_never_decided_on(tmp_path: Path, judge: str) -> None:
    verdicts: dict[str, list[object]] = {
        "guards": [passed(TREES[0])], "gate": [fine(TREES[0])], "validate": [ReviewApproved(TREES[0], ())],
    }  # fmt: skip
    verdicts[judge] = [replace(verdicts[judge][0], tree=TREES[1])]  # type: ignore[type-var]
    case = run(tmp_path, 3, scope=[snapshot(TREES[0])], **verdicts)
    with pytest.raises(StaleVerdict, match=TREES[1][:10]):
        case.go()
    closed = case.journal.run(READY.cycle)
    assert (closed.outcome, closed.stopped_by, closed.exit_code) == ("failed", "StaleVerdict", 1)
    assert "commit" not in case.script.path


def endless(folder: Path, gate: list[object], repairs: int = 3) -> Run:
    """Trees without end, none of which gets past the gate."""
    trees: list[object] = [snapshot(tree) for tree in TREES]
    guards: list[object] = [passed(tree) for tree in TREES]
    return run(folder, repairs, scope=trees, guards=guards, gate=gate, fix=[mended(number) for number in range(5)])


@pytest.mark.parametrize("repairs", [0, 1, 3])
def test_as_many_repairs_are_paid_for_as_are_allowed_and_then_the_run_fails(tmp_path: Path, repairs: int) -> None:
    case = endless(tmp_path, [broken(tree, f"E{number}") for number, tree in enumerate(TREES)], repairs)
    outcome = case.go()
    assert isinstance(outcome, Failed)
    assert (outcome.stopped_by, outcome.exit_code, outcome.stage) == ("decide→fix", 1, "decide")
    assert case.path.count("fix") == repairs
    assert case.path[-1] == "decide"
    assert (outcome.tree, outcome.objections) == (TREES[repairs], (objection("gate", f"E{repairs}"),))
    assert case.journal.run(READY.cycle).exit_code == 1


def again(tree: str, *, words: str = "other words", where: str = "src/a.py:99") -> GateObjections:
    return GateObjections(tree, (replace(objection("gate", where=where), what=words),))


def test_the_same_objections_to_a_mended_tree_are_no_progress_and_end_the_run_at_once(tmp_path: Path) -> None:
    case = endless(tmp_path, [broken(TREES[0]), again(TREES[1])])
    outcome = case.go()
    assert isinstance(outcome, Failed)
    assert (outcome.stopped_by, case.path.count("fix")) == ("decide→fix", 1)
    assert outcome.reason.startswith("no progress")


def test_an_objection_that_comes_back_later_is_no_progress_either(tmp_path: Path) -> None:
    case = endless(tmp_path, [broken(TREES[0], "A"), broken(TREES[1], "B"), broken(TREES[2], "A")])
    assert isinstance(case.go(), Failed)
    assert case.path.count("fix") == 2


def test_a_tree_that_comes_back_from_the_fixer_unmended_is_no_progress(tmp_path: Path) -> None:
    other: tuple[Objection, ...] = (objection("validate", "review", where=""),)
    case = run(
        tmp_path,
        scope=[snapshot(TREES[0])] * 2,
        guards=[passed(TREES[0])] * 2,
        gate=[broken(TREES[0]), fine(TREES[0])],
        validate=[ReviewObjections(TREES[0], other)],
        fix=[mended(0)] * 2,
    )
    outcome = case.go()
    assert isinstance(outcome, Failed)
    assert (outcome.stopped_by, case.path.count("fix")) == ("decide→fix", 1)
