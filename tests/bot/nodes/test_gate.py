"""gate: the parts run side by side, are joined in one order, and what breaks in one is not passed over."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from bot.errors import GateBroken
from bot.model import Baseline, Evidence, GateObjections, GatePassed, Objection, Ready, Snapshot
from bot.nodes.gate import Gate
from tests.support.values import TREE, objection, ready, snapshot


@dataclass
class Part:
    """A part that does something first, and then objects."""

    name: str
    against: tuple[Objection, ...] = ()
    first: Callable[[], object] = lambda: None
    judged: list[tuple[Ready, Snapshot]] = field(default_factory=list)

    def baseline(self, base_tree: str) -> Baseline:
        raise AssertionError("base is measured by precheck")

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        self.first()
        self.judged.append((ready, snapshot))
        return self.against, Evidence(self.name, {"seen": len(self.against)})


def run(*parts: Part) -> GatePassed | GateObjections:
    return Gate(lambda: parts).run(ready(), snapshot())


def test_when_no_part_objects_the_evidence_of_all_is_handed_on() -> None:
    parts = (Part("lint"), Part("routes"))
    passed = run(*parts)
    assert passed == GatePassed(TREE, (Evidence("lint", {"seen": 0}), Evidence("routes", {"seen": 0})))
    assert [part.judged for part in parts] == [[(ready(), snapshot())]] * 2


def test_all_parts_run_side_by_side() -> None:
    meeting = threading.Barrier(3, timeout=10)
    assert isinstance(run(*(Part(name, first=meeting.wait) for name in ("a", "b", "c"))), GatePassed)


def test_whoever_ends_first_the_parts_order_is_kept_and_within_it_one_order() -> None:
    ended = threading.Event()
    late = Part("lint", (objection(code="Z9"), objection(code="A1")), first=lambda: ended.wait(10))
    early = Part("routes", (objection(code="B2", where="/"),), first=ended.set)
    verdict = run(late, early)
    assert isinstance(verdict, GateObjections)
    assert [one.code for one in verdict.objections] == ["A1", "Z9", "B2"]
    assert [one.part for one in verdict.evidence] == ["lint", "routes"]


def test_one_objection_of_one_part_is_enough() -> None:
    verdict = run(Part("lint"), Part("routes", (objection(),)))
    assert isinstance(verdict, GateObjections)
    assert verdict.tree == TREE


def test_a_part_that_breaks_is_raised_and_never_passed() -> None:
    def breaks() -> None:
        raise GateBroken("ruff printed no JSON")

    others = Part("routes", (objection(),))
    with pytest.raises(GateBroken, match="no JSON"):
        run(Part("lint", first=breaks), others)
    assert others.judged, "the other parts are not cut off"


def test_a_gate_without_parts_passes_with_no_evidence() -> None:
    assert run() == GatePassed(TREE, ())


def test_a_snapshot_that_was_judged_keeps_its_verdict_and_nothing_runs() -> None:
    asked: list[Snapshot] = []
    earlier = GateObjections(TREE, (objection(),))

    def recorded(what: Snapshot) -> GateObjections:
        asked.append(what)
        return earlier

    part = Part("lint")
    assert Gate(lambda: (part,), recorded).run(ready(), snapshot()) is earlier
    assert (asked, part.judged) == ([snapshot()], [])


def test_a_snapshot_without_a_verdict_is_judged() -> None:
    part = Part("lint")
    assert isinstance(Gate(lambda: (part,), lambda _: None).run(ready(), snapshot()), GatePassed)
    assert len(part.judged) == 1
