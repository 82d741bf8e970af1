"""A few rounds of `make crash`, and that its checks can fail."""

from __future__ import annotations

import random
import shutil
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests import crash
from tests.endings.conftest import Stager
from tests.support import plays
from tests.support.repository import git

SEED = 11


def test_kills_at_random_moments_leave_nothing_and_repeat_nothing(tmp_path: Path, cache: Path) -> None:
    shutil.copytree(cache, tmp_path / "warmed")
    tally = crash.crash(2, SEED, tmp_path)
    assert tally.faults == [] and tally.counts["cycles"] == 2
    assert sum(number for what, number in tally.counts.items() if what.startswith("killed at")) >= 2


def test_a_push_that_the_journal_does_not_know_is_a_fault(staged: Stager) -> None:
    here = staged()
    tip = here.tip
    here.fire("declined")
    crash.holds(here, tip)
    here.human({"notes.txt": b"x"}, "Add it\n\nPlusone-Cycle: 20261130T040000Z-7f3a\nPlusone-Adds: articles/x\n")
    with pytest.raises(AssertionError, match="the journal and history differ"):
        crash.holds(here, tip)
    git(here.made.remote, "update-ref", "refs/heads/main", tip)
    with pytest.raises(AssertionError, match="history was rewritten"):
        crash.holds(here, "0" * 40)


def test_every_play_leads_where_its_name_says(staged: Stager) -> None:
    here, chance = staged(), random.Random(SEED)
    kinds = ("stuck", "gate")  # `make crash` plays all of them, each after each
    assert set(crash.ENDS) == set(crash.KINDS)
    ends = {kind: here.fire(crash.script(here, chance, kind)) for kind in kinds}
    assert {kind: (report["outcome"], report["repairs"]) for kind, report in ends.items()} == {
        kind: crash.ENDS[kind] for kind in kinds
    }
    assert plays.SLUG not in str(here.keys()) and len(here.keys()) == 1


@given(st.integers(1, 8))
def test_the_order_holds_each_ordered_pair_once(count: int) -> None:
    kinds = [f"k{number}" for number in range(count)]
    found = list(pairwise(crash.order(kinds)))
    assert sorted(found) == sorted(product(kinds, kinds))
