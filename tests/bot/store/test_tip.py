"""The branch as precheck sees it: fetched anew, and first seen only once."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.codec import decode, encode
from bot.journal import Journal
from bot.store.tip import Tip
from tests.support.repository import Scene, push_by_hand, scene
from tests.support.toys import HandClock


class Clock(HandClock):
    """A clock by hand on which nobody sleeps."""

    def sleep(self, seconds: float) -> None:
        raise AssertionError("looking at a branch takes no pause")


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def tip(here: Scene, folder: Path, clock: Clock) -> Tip:
    return Tip(lambda: here.store, "main", Journal(folder / "journal.db", clock, encode, decode), clock)


def test_the_tip_is_fetched_with_its_tree_and_date(here: Scene, tmp_path: Path) -> None:
    branch = tip(here, tmp_path, Clock())
    assert branch.fetch() == here.base
    theirs = push_by_hand(here.bare)
    assert branch.fetch() == theirs
    assert branch.tree_of(here.base) == here.base_tree
    assert branch.committed_at(theirs) == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_commit_is_first_seen_once_whatever_process_asks(here: Scene, tmp_path: Path) -> None:
    clock = Clock()
    first = tip(here, tmp_path, clock).first_seen("a" * 40)
    assert first == clock.now()
    clock.forward(hours=2)
    assert tip(here, tmp_path, clock).first_seen("a" * 40) == first


def test_another_commit_is_first_seen_now(here: Scene, tmp_path: Path) -> None:
    clock = Clock()
    branch = tip(here, tmp_path, clock)
    branch.first_seen("a" * 40)
    clock.forward(hours=2)
    assert branch.first_seen("b" * 40) == clock.now()


def test_a_moment_that_a_wrong_clock_noted_does_not_hold_the_branch_back_for_good(here: Scene, tmp_path: Path) -> None:
    clock = Clock()
    clock.forward(days=4000)
    branch = tip(here, tmp_path, clock)
    branch.first_seen("a" * 40)
    clock.forward(days=-4000)
    assert branch.first_seen("a" * 40) == clock.now()
