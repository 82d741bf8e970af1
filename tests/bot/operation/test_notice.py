"""One notice for each change of state."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.codec import decode, encode
from bot.journal import Journal
from bot.model import Committed, Failed, Outcome, Reverted, Skipped
from bot.operation.notice import notice
from tests.support.toys import HandClock

BROKEN = Skipped("setup", "site-broken", "ImportError: no module named lantern")
BLIND = Skipped("setup", "blind", "2 of 40 rules were asked")
WELL: list[Outcome] = [
    Committed("c", "t", "added"),
    Reverted("guards", "two things"),
    Failed("decide", "not converged"),
]


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.db", HandClock(), encode, decode)


def test_a_site_that_begins_to_need_a_person_is_told_of_once_with_its_reason(journal: Journal) -> None:
    assert notice(journal, BROKEN) == "needs a person (site-broken): ImportError: no module named lantern"
    assert notice(journal, BROKEN) == ""


def test_another_need_is_another_state(journal: Journal) -> None:
    notice(journal, BROKEN)
    assert notice(journal, BLIND).startswith("needs a person (blind)")
    assert notice(journal, BROKEN).startswith("needs a person (site-broken)")


@pytest.mark.parametrize("outcome", WELL)
def test_a_cycle_that_ran_ends_the_state_once(journal: Journal, outcome: Outcome) -> None:
    assert notice(journal, outcome) == ""
    notice(journal, BROKEN)
    assert notice(journal, outcome) == "no longer needs a person (site-broken)"
    assert notice(journal, outcome) == ""


def test_a_skip_for_now_changes_nothing(journal: Journal) -> None:
    notice(journal, BROKEN)
    assert notice(journal, Skipped("wait", "too-soon", "the branch last moved at …")) == ""
    assert notice(journal, BROKEN) == ""
