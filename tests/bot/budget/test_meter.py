"""Budgets: what is set aside, what stops, and what failing calls cost."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.budget.meter import DayCaps, JournalMeter
from bot.errors import BudgetSpent, ConfigError
from bot.journal import Journal
from bot.model import Allowance, Spent, Tokens
from tests.support.toys import HandClock, journal, opening

WORST = Tokens(input=600, output=400)
PLENTY = Allowance(model_calls=1000, tokens=10**9, usd=1000.0, seconds=60.0)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Journal]:
    made = journal(tmp_path)
    made.open_run(opening())
    yield made
    made.shut()


def price(model: str, tokens: Tokens) -> float | None:
    """A dollar per thousand tokens, a quarter more for what the cache writes."""
    return None if model == "mystery" else (tokens.total + tokens.cache_write / 4) / 1000


def meter(book: Journal, allowance: Allowance = PLENTY, day: DayCaps = DayCaps(), cycle: str = "c1") -> JournalMeter:  # noqa: B008
    return JournalMeter(book, cycle, allowance, day, price)


def capped(calls: int = 1000, tokens: int = 10**9, usd: float | None = 1000.0) -> Allowance:
    return Allowance(calls, tokens, usd, 60.0)


def test_the_worst_is_set_aside_before_and_the_truth_replaces_it(book: Journal) -> None:
    one = meter(book)
    call = one.reserve("build", 1, "sonnet", WORST)
    assert book.spent("c1") == Spent(1, WORST, 1.15)
    one.settle(call, Tokens(input=100), "done")
    assert book.spent("c1") == Spent(1, Tokens(input=100), 0.1)


@pytest.mark.parametrize(
    ("allowance", "day", "governor", "key"),
    [
        (capped(calls=1), DayCaps(), "model_calls", "budget.model_calls"),
        (capped(tokens=1999), DayCaps(), "tokens", "budget.tokens_per_cycle"),
        (capped(usd=2.29), DayCaps(), "usd", "budget.usd_per_cycle"),
        (PLENTY, DayCaps(model_calls=1), "model_calls_per_day", "budget.model_calls_per_day"),
        (PLENTY, DayCaps(tokens=1999), "tokens_per_day", "budget.tokens_per_day"),
        (PLENTY, DayCaps(usd=2.29), "usd_per_day", "budget.usd_per_day"),
    ],
)
def test_the_call_that_would_pass_a_cap_is_not_made(
    book: Journal, allowance: Allowance, day: DayCaps, governor: str, key: str
) -> None:
    one = meter(book, allowance, day)
    one.reserve("build", 1, "sonnet", WORST)
    with pytest.raises(BudgetSpent, match=rf"the next call may take .*\({key}\)") as stopped:
        one.reserve("build", 1, "sonnet", WORST)
    assert stopped.value.stopped_by == governor
    assert book.spent("c1").calls == 1


@pytest.mark.parametrize(
    ("allowance", "day"),
    [(capped(2, 2000, 2.3), DayCaps()), (PLENTY, DayCaps(2, 2000, 2.3))],
)
def test_a_cap_may_be_reached_exactly(book: Journal, allowance: Allowance, day: DayCaps) -> None:
    one = meter(book, allowance, day)
    one.reserve("build", 1, "sonnet", WORST)
    assert one.reserve("build", 1, "sonnet", WORST) == 2


def test_calls_that_fail_and_cost_nothing_still_run_out(book: Journal) -> None:
    one = meter(book, capped(calls=5))
    for _ in range(5):
        one.settle(one.reserve("build", 1, "sonnet", WORST), Tokens(), "failed")
    assert book.spent("c1") == Spent(5, Tokens(), 0.0)
    with pytest.raises(BudgetSpent) as stopped:
        one.reserve("build", 1, "sonnet", WORST)
    assert stopped.value.stopped_by == "model_calls"


def test_a_call_that_never_came_back_counts_at_its_worst(book: Journal) -> None:
    one = meter(book, capped(tokens=1500))
    one.settle(one.reserve("build", 1, "sonnet", WORST), None, "failed")
    with pytest.raises(BudgetSpent):
        one.reserve("build", 1, "sonnet", WORST)


def test_the_day_counts_what_another_process_set_aside(tmp_path: Path, book: Journal) -> None:
    meter(book).reserve("build", 1, "sonnet", WORST)
    other = journal(tmp_path)
    other.open_run(opening("c2"))
    with pytest.raises(BudgetSpent) as stopped:
        meter(other, day=DayCaps(model_calls=1), cycle="c2").reserve("build", 1, "sonnet", WORST)
    assert stopped.value.stopped_by == "model_calls_per_day"
    other.shut()


def test_a_new_day_has_a_new_budget(tmp_path: Path) -> None:
    clock = HandClock()
    book = journal(tmp_path, clock)
    book.open_run(opening())
    one = meter(book, day=DayCaps(model_calls=1))
    one.reserve("build", 1, "sonnet", WORST)
    clock.forward(hours=20)
    one.reserve("build", 1, "sonnet", WORST)
    book.shut()


@pytest.mark.parametrize(("allowance", "day"), [(capped(usd=1.0), DayCaps()), (capped(usd=None), DayCaps(usd=1.0))])
def test_an_unknown_price_under_a_money_cap_is_refused(book: Journal, allowance: Allowance, day: DayCaps) -> None:
    with pytest.raises(ConfigError, match=r"the price of mystery is not known.*\[models.prices\]"):
        meter(book, allowance, day).reserve("build", 1, "mystery", WORST)
    assert book.calls("c1") == ()


def test_an_unknown_price_without_a_money_cap_is_counted_as_unknown(book: Journal) -> None:
    one = meter(book, capped(usd=None))
    one.settle(one.reserve("build", 1, "mystery", WORST), Tokens(1), "done")
    assert book.spent("c1").usd is None
    with pytest.raises(ConfigError, match=r"calls of unknown price were made, but budget.usd_per_day"):
        meter(book, capped(usd=None), DayCaps(usd=5.0)).reserve("build", 1, "sonnet", WORST)


def test_calls_side_by_side_never_pass_the_cap(book: Journal) -> None:
    one = meter(book, capped(calls=10))
    refused: list[str] = []

    def work() -> None:
        for _ in range(5):
            try:
                one.reserve("build", 1, "sonnet", WORST)
            except BudgetSpent as error:
                refused.append(error.stopped_by)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert book.spent("c1").calls == 10
    assert refused == ["model_calls"] * 10


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 900), st.sampled_from(["done", "failed", "lost"])), max_size=8))
def test_no_order_of_endings_passes_the_token_cap(
    tmp_path_factory: pytest.TempPathFactory, turns: list[tuple[int, str]]
) -> None:
    book = journal(tmp_path_factory.mktemp("meter"))
    book.open_run(opening())
    one = meter(book, capped(tokens=3000))
    for used, how in turns:
        try:
            call = one.reserve("build", 1, "sonnet", WORST)
        except BudgetSpent:
            break
        one.settle(call, None if how == "lost" else Tokens(input=used), "done" if how == "done" else "failed")
    assert book.spent("c1").tokens.total <= 3000
    book.shut()
