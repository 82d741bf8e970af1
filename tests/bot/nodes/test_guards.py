"""guards: both trees are read, all objections are told together, and a site that no longer loads is one of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import pytest

from bot.errors import SiteBroken
from bot.model import GuardObjections, GuardsPassed, Holdings, Objection, Ready, Snapshot
from bot.nodes.guards import Guards
from tests.support.holdings import BASE, holdings, registry
from tests.support.values import TREE, objection, ready, snapshot

CANDIDATE = holdings(registry("articles", "a", "b", "c"), registry("projects", "p"))
HELD = {"d" * 40: BASE, TREE: CANDIDATE}


@dataclass
class Reading:
    """A reader of trees, some of which cannot be read."""

    broken: tuple[str, ...] = ()
    asked: list[str] = field(default_factory=list)

    def holdings(self, tree: str) -> tuple[str, Holdings]:
        self.asked.append(tree)
        if tree in self.broken:
            raise SiteBroken("ImportError: no module named lantern")
        return f"key of {tree}", HELD[tree]


@dataclass
class Bench:
    """A panel that says what was written down for it."""

    against: tuple[Objection, ...] = ()
    seen: list[tuple[Holdings, Holdings]] = field(default_factory=list)

    def objections(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> Iterable[Objection]:
        self.seen.append((base, candidate))
        yield from self.against

    def adds(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> tuple[str, ...]:
        return ("articles/c",)


def judged(reader: Reading, panel: Bench) -> GuardsPassed | GuardObjections:
    return Guards(lambda: reader, lambda: panel).run(ready(), snapshot())


def test_base_and_candidate_are_both_read_and_both_shown_to_the_guards() -> None:
    reader, panel = Reading(), Bench()
    judged(reader, panel)
    assert reader.asked == ["d" * 40, TREE]
    assert panel.seen == [(BASE, CANDIDATE)]


def test_a_pass_names_what_was_added_and_counts_what_was_read() -> None:
    passed = judged(Reading(), Bench())
    assert isinstance(passed, GuardsPassed)
    assert (passed.tree, passed.adds) == (TREE, ("articles/c",))
    assert [one.line for one in passed.evidence] == ["guards: entries 4, rules 2, files 1"]


def test_all_objections_are_told_together_in_one_order() -> None:
    against = (objection("guards", "two"), objection("guards", "one"), objection("guards", "one", where="a.py:1"))
    first, second = judged(Reading(), Bench(against)), judged(Reading(), Bench(against[::-1]))
    assert isinstance(first, GuardObjections)
    assert [one.code for one in first.objections] == ["one", "one", "two"]
    assert first == second


def test_a_change_after_which_the_site_does_not_load_is_objected_to_in_the_sites_own_words() -> None:
    panel = Bench()
    verdict = judged(Reading(broken=(TREE,)), panel)
    assert isinstance(verdict, GuardObjections)
    assert [one.code for one in verdict.objections] == ["site-unreadable"]
    assert "no module named lantern" in verdict.objections[0].seen
    assert panel.seen == [], "there is nothing to compare"


def test_a_base_that_does_not_load_is_no_fault_of_the_change() -> None:
    with pytest.raises(SiteBroken):
        judged(Reading(broken=("d" * 40,)), Bench())


def test_a_snapshot_that_was_judged_keeps_its_verdict_and_nothing_is_read() -> None:
    earlier, reading = GuardsPassed(TREE, ("articles/c",)), Reading()
    guards = Guards(lambda: reading, Bench, lambda what: earlier if what == snapshot() else None)
    assert guards.run(ready(), snapshot()) is earlier and reading.asked == []
