"""Each guard and each part of the gate, taken away one at a time: only here, and never in the product."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from bot.base import panel
from bot.compose.shop import Shop
from bot.model import Evidence, Objection
from bot.ports import GatePart
from guards import GUARDS

Switch = Callable[[], AbstractContextManager[None]]
PARTS = ("lint", "catalogue", "routes", "tests")


def guards() -> dict[str, Switch]:
    """By the name of the guard."""
    return {name: without_guard(name) for name in (guard.__name__ for guard in GUARDS)}


def parts() -> dict[str, Switch]:
    """By the name of the part."""
    return {name: without_part(name) for name in PARTS}


@contextmanager
def replaced(owner: object, name: str, value: object) -> Iterator[None]:
    """Another value under the name, for a while."""
    kept = vars(owner)[name]
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, kept)


def without_guard(name: str) -> Switch:
    """All guards but that one."""
    left = tuple(guard for guard in GUARDS if guard.__name__ != name)
    assert len(left) == len(GUARDS) - 1, f"no guard is called {name}"
    return lambda: replaced(panel, "GUARDS", left)


class _Blind:
    """A part that measures base and then sees nothing wrong."""

    def __init__(self, part: GatePart) -> None:
        self._part, self.name = part, part.name
        self.baseline = part.baseline

    def judge(self, *_: object) -> tuple[tuple[Objection, ...], Evidence]:
        return (), Evidence(self.name, {})


def without_part(name: str) -> Switch:
    """All parts of the gate, but that one objects to nothing."""
    whole = vars(Shop)["parts"].func

    def blinded(shop: Shop) -> tuple[object, ...]:
        return tuple(_Blind(part) if part.name == name else part for part in whole(shop))

    return lambda: replaced(Shop, "parts", property(blinded))
