"""What tokens cost in US dollars."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import Tokens

_MILLION = 1_000_000
_CACHE_WRITE = 1.25


def price(model: str, tokens: Tokens, overrides: Mapping[str, Mapping[str, float]] | None = None) -> float | None:
    """The price of these tokens in USD, or None for a model whose price nobody knows.

    `overrides` is `[models.prices]`: by model, USD per million for `input`, `output`, `cache_read`, `cache_write`.
    A cache price that is left out is taken at its dearest: reads as input, writes as a quarter more.
    """
    if overrides and (own := overrides.get(model)) is not None:
        return _own(own, tokens)
    from genai_prices import Usage, calc_price  # late: slow to import, and most commands price nothing

    usage = Usage(
        input_tokens=tokens.input + tokens.cache_read + tokens.cache_write,  # theirs includes what the cache did
        cache_read_tokens=tokens.cache_read,
        cache_write_tokens=tokens.cache_write,
        output_tokens=tokens.output,
    )
    try:
        return float(calc_price(usage, model, provider_id="anthropic").total_price)
    except LookupError:
        return None


def _own(own: Mapping[str, float], tokens: Tokens) -> float | None:
    if "input" not in own or "output" not in own:
        return None
    read, write = own.get("cache_read", own["input"]), own.get("cache_write", own["input"] * _CACHE_WRITE)
    total = tokens.input * own["input"] + tokens.output * own["output"]
    return (total + tokens.cache_read * read + tokens.cache_write * write) / _MILLION
