"""Prices are those of the table, or the operator's own, or unknown."""

from __future__ import annotations

import pytest

from bot.budget.prices import price
from bot.model import Tokens

MILLION = 1_000_000


@pytest.mark.parametrize(
    ("tokens", "usd"),
    [
        (Tokens(input=MILLION), 2.0),
        (Tokens(output=MILLION), 10.0),
        (Tokens(cache_read=MILLION), 0.2 / 2),
        (Tokens(cache_write=MILLION), 2.5),
        (Tokens(1000, 100, 5000, 200), 0.002 + 0.001 + 0.0005 + 0.0005),
        (Tokens(), 0.0),
    ],
)
def test_a_known_model_costs_what_its_maker_asks_with_cache_tokens_apart(tokens: Tokens, usd: float) -> None:
    assert price("claude-sonnet-5-5", tokens) == pytest.approx(usd)


def test_an_unknown_model_has_no_price() -> None:
    assert price("claude-nobody-1", Tokens(1)) is None
    assert price("", Tokens(1), {"claude-other-1": {"input": 1, "output": 1}}) is None


def test_the_operator_s_price_goes_before_the_table() -> None:
    own = {"claude-sonnet-5-5": {"input": 1.0, "output": 2.0, "cache_read": 3.0, "cache_write": 4.0}}
    assert price("claude-sonnet-5-5", Tokens(MILLION, MILLION, MILLION, MILLION), own) == 10.0


def test_cache_prices_that_are_left_out_are_taken_at_their_dearest() -> None:
    own = {"m": {"input": 4.0, "output": 0.0}}
    assert price("m", Tokens(cache_read=MILLION), own) == 4.0
    assert price("m", Tokens(cache_write=MILLION), own) == 5.0


def test_half_a_price_is_no_price() -> None:
    assert price("m", Tokens(1), {"m": {"input": 4.0}}) is None
