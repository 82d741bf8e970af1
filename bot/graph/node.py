"""A node: a name, a body, and the signature that the body's annotations give it."""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from bot.errors import GraphError
from bot.frozen import frozen


@frozen
class Parameter:
    """One parameter of a body: the newest standing value of any of `types`, or None if `optional` and none stands."""

    name: str
    types: tuple[type, ...]
    optional: bool


@dataclass(frozen=True)
class Node:
    """One stage. `body` is a function or an unbound method; `crash` says how it reruns if a crash met it in flight.

    `model` says that it speaks to a model. A body whose annotations cannot be read raises GraphError when asked.
    """

    name: str
    body: Callable[..., object]
    crash: Literal["again", "restored"]
    model: bool = False

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What the body asks for, in its own order; `self` is left out."""
        names = [name for name in inspect.signature(self.body).parameters if name != "self"]
        return tuple(self._parameter(name) for name in names)

    @cached_property
    def returns(self) -> tuple[type, ...]:
        """Every type that the body may return."""
        found = self._members("return")
        if types.NoneType in found:
            raise GraphError(f"node {self.name} may return None: a stage always returns a value")
        return found

    def _parameter(self, name: str) -> Parameter:
        found = self._members(name)
        wanted = tuple(one for one in found if one is not types.NoneType)
        return Parameter(name, wanted, optional=types.NoneType in found)

    @cached_property
    def _hints(self) -> dict[str, object]:
        try:
            return typing.get_type_hints(self.body)
        except NameError as error:
            raise GraphError(f"node {self.name}: an annotation is not importable at run time ({error})") from error

    def _members(self, name: str) -> tuple[type, ...]:
        hint = self._hints.get(name)
        if hint is None:
            raise GraphError(f"node {self.name}: {name!r} has no annotation")
        found = typing.get_args(hint) if typing.get_origin(hint) in (typing.Union, types.UnionType) else (hint,)
        if strange := [one for one in found if not isinstance(one, type)]:
            raise GraphError(f"node {self.name}: {name!r} is annotated with {strange[0]!r}, which is no plain class")
        return found
