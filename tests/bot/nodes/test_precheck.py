"""precheck: when a cycle may start, and that cheap refusals come first."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from bot.errors import SiteBroken, Unreachable
from bot.model import Ready, Refused, Trigger
from bot.nodes.precheck import Precheck
from tests.support import values

NOW = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)


class Tip:
    """A branch whose tip was committed, and first seen, at given moments."""

    def __init__(self, committed: datetime, seen: datetime = NOW) -> None:
        self.committed, self.seen, self.fetches = committed, seen, 0

    def fetch(self) -> str:
        self.fetches += 1
        return "c" * 40

    def tree_of(self, commit: str) -> str:
        return "d" * 40

    def committed_at(self, commit: str) -> datetime:
        return self.committed

    def first_seen(self, commit: str) -> datetime:
        return self.seen


class Measured:
    def __init__(self, broken: str = "") -> None:
        self.broken, self.asked = broken, 0

    def ready(self, trigger: Trigger, base: str, base_tree: str) -> Ready:
        self.asked += 1
        if self.broken:
            raise SiteBroken(self.broken)
        return values.ready()


def check(tip: Tip, survey: Measured | None = None, hold: Refused | None = None) -> Ready | Refused:
    node = Precheck((lambda _: hold,), tip, timedelta(hours=3), lambda: survey or Measured())
    return node.run(values.trigger())


def test_a_quiet_branch_is_ready() -> None:
    assert isinstance(check(Tip(NOW - timedelta(hours=4))), Ready)


def test_exactly_the_quiet_period_is_enough() -> None:
    assert isinstance(check(Tip(NOW - timedelta(hours=3))), Ready)


def test_too_soon_is_a_wait_that_says_how_long_and_measures_nothing() -> None:
    survey = Measured()
    refused = check(Tip(NOW - timedelta(hours=1)), survey)
    assert isinstance(refused, Refused)
    assert (refused.kind, refused.code) == ("wait", "too-soon")
    assert "2026-11-30 03:00" in refused.reason
    assert "120 min" in refused.reason
    assert survey.asked == 0


def test_a_tip_dated_in_the_future_counts_from_when_it_was_first_seen() -> None:
    future = NOW + timedelta(days=400)
    assert isinstance(check(Tip(future, seen=NOW - timedelta(hours=1))), Refused)
    assert isinstance(check(Tip(future, seen=NOW - timedelta(hours=5))), Ready)


def test_a_hold_refuses_before_the_remote_is_asked() -> None:
    tip = Tip(NOW - timedelta(days=1))
    hold = Refused("setup", "breaker", "three cycles failed in a row")
    assert check(tip, hold=hold) == hold
    assert tip.fetches == 0


def test_a_site_that_does_not_work_at_base_is_a_set_up_refusal_with_its_own_message() -> None:
    refused = check(Tip(NOW - timedelta(days=1)), Measured(broken="ImportError: no module named lantern"))
    assert isinstance(refused, Refused)
    assert (refused.kind, refused.code) == ("setup", "site-broken")
    assert "no module named lantern" in refused.reason


def test_what_is_broken_is_raised_and_never_a_refusal() -> None:
    class Gone(Tip):
        def fetch(self) -> str:
            raise Unreachable("the remote does not answer")

    with pytest.raises(Unreachable):
        check(Gone(NOW))
