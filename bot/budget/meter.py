"""The budget of model calls, tokens and money: the worst is set aside before a call, the truth replaces it after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from bot.errors import BudgetSpent, ConfigError
from bot.frozen import frozen
from bot.journal import Journal, Reserve
from bot.model import Allowance, Spent, Tokens

Price = Callable[[str, Tokens], float | None]


@frozen
class DayCaps:
    """What all cycles together may spend in one UTC day; None means no cap."""

    model_calls: int | None = None
    tokens: int | None = None
    usd: float | None = None


class JournalMeter:
    """Counts one cycle's calls in the journal, where calls that failed, hang or died with their process count too.

    `price(model, tokens)` is in US dollars, None where it is not known.
    """

    def __init__(self, journal: Journal, cycle: str, allowance: Allowance, day: DayCaps, price: Price) -> None:
        self._journal = journal
        self._cycle = cycle
        self._allowance = allowance
        self._day = day
        self._price = price
        self._models: dict[int, str] = {}

    def reserve(self, node: str, visit: int, model: str, worst: Tokens) -> int:
        """Set the worst aside and name the call.

        Raises BudgetSpent where a cap would be passed, ConfigError where money is capped and the price is not known.
        """
        usd = self._worst(model, worst)
        if usd is None and (self._allowance.usd is not None or self._day.usd is not None):
            raise ConfigError(f"the price of {model} is not known, but money is capped: set it under [models.prices]")
        call = Reserve(self._cycle, node, visit, model, worst, usd)
        number = self._journal.reserve(call, lambda cycle, day: self._within(call, cycle, day))
        self._models[number] = model
        return number

    def settle(self, call: int, used: Tokens | None, status: str) -> None:
        """Replace the reserve by what was used; None keeps the reserve. `status` is `done` or `failed`."""
        usd = None if used is None else self._price(self._models[call], used)
        self._journal.settle(call, used, usd, status)

    def _worst(self, model: str, worst: Tokens) -> float | None:
        """Writing the cache costs more than plain input, and what will be written is not known yet."""
        written = replace(worst, input=0, cache_write=worst.cache_write + worst.input)
        plain, cached = self._price(model, worst), self._price(model, written)
        return None if plain is None or cached is None else max(plain, cached)

    def _within(self, call: Reserve, cycle: Spent, day: Spent) -> None:
        ours, days = self._allowance, self._day
        _hold("model_calls", "budget.model_calls", cycle.calls, 1, ours.model_calls)
        _hold("tokens", "budget.tokens_per_cycle", cycle.tokens.total, call.worst.total, ours.tokens)
        _hold("usd", "budget.usd_per_cycle", cycle.usd, call.usd, ours.usd)
        _hold("model_calls_per_day", "budget.model_calls_per_day", day.calls, 1, days.model_calls)
        _hold("tokens_per_day", "budget.tokens_per_day", day.tokens.total, call.worst.total, days.tokens)
        _hold("usd_per_day", "budget.usd_per_day", day.usd, call.usd, days.usd)


def _hold(governor: str, key: str, spent: float | None, wanted: float | None, cap: float | None) -> None:
    if cap is None:
        return
    if spent is None or wanted is None:
        raise ConfigError(f"calls of unknown price were made, but {key} caps money: set it under [models.prices]")
    if spent + wanted > cap:
        numbers = f"{spent:.6g} spent or set aside, the next call may take {wanted:.6g}, the cap is {cap:.6g}"
        raise BudgetSpent(governor, f"the budget does not reach: {numbers} ({key})")
