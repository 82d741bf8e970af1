"""What every value of the model is: a frozen dataclass with slots, cheap to define, for each start defines them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(kind: type[T]) -> type[T]:
    """`dataclass(frozen=True, slots=True)` with the same comparing, hashing and text, but none compiled for each class.

    A class that compares in its own way keeps that.
    """
    made = dataclass(frozen=True, slots=True, eq=False, repr=False)(kind)
    names = tuple(one.name for one in fields(made))  # type: ignore[arg-type]
    for name, method in (*_comparing(names), ("__repr__", _text(names))):
        if name not in kind.__dict__:
            setattr(made, name, method)
    return made


def _comparing(names: tuple[str, ...]) -> tuple[tuple[str, Callable[..., Any]], ...]:
    content = attrgetter(*names)

    def equal(self: object, other: object) -> bool:
        return content(self) == content(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash((content(self),))

    return ("__eq__", equal), ("__hash__", hashed)


def _text(names: tuple[str, ...]) -> Callable[[object], str]:
    def text(self: object) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    return text
