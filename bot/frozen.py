"""What every value of the program is: frozen and with slots, and cheap to define, for each start defines them all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """`dataclass(frozen=True, slots=True)` with the same comparing, hashing and text. Only `__init__` is compiled for
    each class, so that defining one takes about a quarter of the time.

    Each field is set once, by `__init__`, and never again. A class that compares in its own way keeps that.
    """
    made = dataclass(slots=True, eq=False, repr=False)(kind)
    parts = fields(made)  # type: ignore[arg-type]
    compared = tuple(one.name for one in parts if one.compare)
    told = tuple(one.name for one in parts if one.repr)
    for name, method in (*_comparing(compared), ("__repr__", _text(told))):
        if name not in kind.__dict__:
            setattr(made, name, method)
    made.__setattr__, made.__delattr__ = _set_once, _delete_never  # type: ignore[method-assign]
    return made


def _set_once(self: object, name: str, content: object) -> None:
    if hasattr(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, content)


def _delete_never(_: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


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
