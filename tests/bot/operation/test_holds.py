"""Cheap reasons not to start, read from a real journal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from bot.budget.meter import DayCaps
from bot.codec import decode, encode
from bot.journal import Journal, Opening, Reserve
from bot.model import Committed, Failed, Outcome, Refused, Reverted, Skipped, Tokens
from bot.operation.holds import PAUSED, RESUMED, Hold, broken, edited, paused, spent
from tests.support.toys import HandClock
from tests.support.values import trigger

FAILED = Failed("build", "the service is down")
DONE = Committed("c" * 40, "d" * 40, "added")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.db", HandClock(), encode, decode)


def ended(journal: Journal, *outcomes: Outcome) -> None:
    for outcome in outcomes:
        name = f"c{len(journal.runs(100))}"
        journal.open_run(Opening(name, "g", trigger()))
        journal.close(name, outcome)


def said(hold: Hold) -> Refused:
    refused = hold(trigger())
    assert refused is not None
    return refused


def test_a_pause_is_a_wait_that_says_since_when_and_how_to_go_on(journal: Journal) -> None:
    assert paused(journal)(trigger()) is None
    journal.set_note(PAUSED, "since 2026-11-29: the summer party")
    refused = said(paused(journal))
    assert (refused.kind, refused.code) == ("wait", "paused")
    assert "since 2026-11-29: the summer party" in refused.reason
    assert "plusone resume" in refused.reason


def test_the_breaker_opens_with_the_last_of_so_many_failures(journal: Journal) -> None:
    ended(journal, FAILED, FAILED)
    assert broken(journal, 3)(trigger()) is None
    ended(journal, Failed("gate", "no answer of the linter"))
    refused = said(broken(journal, 3))
    assert (refused.kind, refused.code) == ("setup", "breaker")
    assert "3 cycles failed in a row" in refused.reason
    assert "no answer of the linter" in refused.reason


@pytest.mark.parametrize(
    ("between", "counts"),
    [(DONE, False), (Reverted("guards", "not new"), False), (Skipped("wait", "too-soon", "later"), True)],
)
def test_a_skip_is_no_sign_of_health_but_any_other_ending_is(journal: Journal, between: Outcome, counts: bool) -> None:
    ended(journal, FAILED, FAILED, between, FAILED)
    assert (broken(journal, 3)(trigger()) is not None) == counts


def test_the_breaker_that_was_resumed_counts_from_there(journal: Journal) -> None:
    ended(journal, FAILED, FAILED, FAILED)
    journal.set_note(RESUMED, "c2")
    assert broken(journal, 3)(trigger()) is None
    ended(journal, FAILED, FAILED, FAILED)
    assert broken(journal, 3)(trigger()) is not None


def test_the_reason_is_that_of_the_newest_failure_however_many_skips_came_since(journal: Journal) -> None:
    ended(journal, FAILED, *[Skipped("setup", "breaker", "open")] * 5)
    assert "the service is down" in said(broken(journal, 1)).reason


def call(journal: Journal, usd: float | None = 0.5) -> None:
    journal.open_run(Opening(f"c{len(journal.runs(100))}", "g", trigger()))
    name = journal.runs(1)[0].cycle
    journal.reserve(Reserve(name, "build", 1, "m", Tokens(input=900, output=100), usd), lambda *_: None)


@pytest.mark.parametrize(
    ("caps", "told"),
    [
        (DayCaps(model_calls=2), "2 model calls of budget.model_calls_per_day = 2"),
        (DayCaps(tokens=1500), "2000 tokens of budget.tokens_per_day = 1500"),
        (DayCaps(usd=0.75), "1 USD of budget.usd_per_day = 0.75"),
    ],
)
def test_a_spent_day_is_a_wait_that_names_the_cap(journal: Journal, caps: DayCaps, told: str) -> None:
    call(journal)
    assert spent(journal, caps)(trigger()) is None
    call(journal)
    refused = said(spent(journal, caps))
    assert (refused.kind, refused.code) == ("wait", "budget")
    assert told in refused.reason
    assert "2026-11-30" in refused.reason


def test_the_next_day_has_a_budget_of_its_own(journal: Journal) -> None:
    call(journal)
    assert spent(journal, DayCaps(model_calls=1))(trigger("2026-12-01T00:00:00+00:00")) is None


def test_without_caps_nothing_is_held(journal: Journal) -> None:
    call(journal)
    assert spent(journal, DayCaps())(trigger()) is None


def dirty(*paths: str) -> Callable[[Path], tuple[str, ...]]:
    return lambda checkout: paths


def test_a_persons_open_work_is_a_wait_that_names_the_first_files(tmp_path: Path) -> None:
    refused = said(edited(tmp_path, dirty("a.py", "b.py", "c.py", "d.py", "e.py")))
    assert (refused.kind, refused.code) == ("wait", "checkout-edited")
    assert f"{tmp_path} has uncommitted changes in a.py, b.py, c.py and 2 more" in refused.reason
    assert "more" not in said(edited(tmp_path, dirty("a.py"))).reason


def test_a_clean_checkout_holds_nothing(tmp_path: Path) -> None:
    assert edited(tmp_path, dirty())(trigger()) is None
