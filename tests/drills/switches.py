"""Each guard and each part of the gate, taken away one at a time: only here, and never in the product."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import bot.panel
from bot.compose.shop import Shop
from bot.ports import GatePart

Switch = Callable[[], AbstractContextManager[None]]
PARTS = ("lint", "catalogue", "routes", "tests")


def guards() -> dict[str, Switch]:
    """By the name of the guard."""
    return {guard.__name__: without_guard(guard.__name__) for guard in bot.panel.GUARDS}


def parts() -> dict[str, Switch]:
    """By the name of the part."""
    return {name: without_part(name) for name in PARTS}


def without_guard(name: str) -> Switch:
    """All guards but that one."""

    @contextmanager
    def off() -> Iterator[None]:
        kept = bot.panel.GUARDS
        bot.panel.GUARDS = tuple(guard for guard in kept if guard.__name__ != name)
        assert len(bot.panel.GUARDS) == len(kept) - 1, f"no guard is called {name}"
        try:
            yield
        finally:
            bot.panel.GUARDS = kept

    return off


class _Blind:
    """A part that measures base and then sees nothing wrong."""

    def __init__(self, part: GatePart) -> None:
        self._part = part
        self.name = part.name
        self.baseline = part.baseline

    def judge(self, *asked: object) -> object:
        from bot.model import Evidence

        return (), Evidence(self._part.name, {"switched off": 1})


def without_part(name: str) -> Switch:
    """All parts of the gate, but that one objects to nothing."""

    @contextmanager
    def off() -> Iterator[None]:
        kept = Shop.__dict__["parts"]
        whole = kept.func

        def blinded(shop: Shop) -> tuple[object, ...]:
            return tuple(_Blind(part) if part.name == name else part for part in whole(shop))

        Shop.parts = property(blinded)  # type: ignore[assignment]
        try:
            yield
        finally:
            Shop.parts = kept

    return off
