"""A value of the model is a frozen dataclass like any other, only cheaper to define."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, replace

import pytest

import bot.model
from bot.frozen import frozen
from bot.model import Repair, Tokens


@frozen
class Lamp:
    """Ours."""

    name: str
    height: int = 3
    rooms: tuple[str, ...] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Plain:
    """The standard library's own, with the same fields."""

    name: str
    height: int = 3
    rooms: tuple[str, ...] = field(default_factory=tuple)


@frozen
class Buoy:
    """Another class with the same fields."""

    name: str
    height: int = 3
    rooms: tuple[str, ...] = field(default_factory=tuple)


@frozen
class Key:
    """A field that is never shown, and one that does not count."""

    secret: str = field(repr=False)
    used: int = field(default=0, compare=False)


@frozen
class Wick:
    """One field only."""

    name: str


def test_equal_content_is_equal_and_hashes_alike() -> None:
    assert Lamp("a", 2, ("x",)) == Lamp("a", 2, ("x",)) != Lamp("a", 2)
    assert len({Lamp("a"), Lamp("a"), Lamp("b")}) == 2
    assert Wick("a") == Wick("a") != Wick("b") and len({Wick("a"), Wick("a")}) == 1


def test_a_look_alike_of_another_class_is_never_equal() -> None:
    others: list[object] = [Buoy("a"), Plain("a"), Wick("a"), ("a", 3, ()), "a"]
    assert Lamp("a") not in others and Wick("a") not in [Lamp("a"), *others[:2], *others[3:]]


def test_a_value_that_holds_a_mapping_compares_and_does_not_hash() -> None:
    assert Lamp({}) == Lamp({})  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="unhashable"):
        hash(Lamp({}))  # type: ignore[arg-type]


def test_the_text_is_that_of_a_dataclass() -> None:
    assert repr(Lamp("a\n", 2)) == repr(Plain("a\n", 2)).replace("Plain", "Lamp")


def test_a_field_that_is_not_to_be_shown_or_compared_is_not() -> None:
    assert repr(Key("sk-1")) == "Key(used=0)"
    assert Key("a", 1) == Key("a", 2) != Key("b", 1) and hash(Key("a", 1)) == hash(Key("a", 2))


def test_nothing_is_changed_deleted_or_added() -> None:
    lamp = Lamp("a")
    with pytest.raises(FrozenInstanceError):
        setattr(lamp, "name", "b")  # noqa: B010
    with pytest.raises(FrozenInstanceError):
        delattr(lamp, "name")
    with pytest.raises(AttributeError):  # what FrozenInstanceError is too: there is no such slot
        setattr(lamp, "width", 1)  # noqa: B010
    assert lamp == Lamp("a") and not hasattr(lamp, "__dict__")


def test_the_standard_tools_work() -> None:
    lamp = Lamp("a", rooms=("x",))
    assert replace(lamp, height=9) == Lamp("a", 9, ("x",))
    assert pickle.loads(pickle.dumps(lamp)) == copy.deepcopy(lamp) == lamp
    match lamp:
        case Lamp(name, height):
            assert (name, height) == ("a", 3)


def test_a_class_keeps_its_own_way_of_comparing() -> None:
    assert Repair.__eq__.__qualname__ == "Repair.__eq__" and Repair.__hash__.__qualname__ == "Repair.__hash__"


@pytest.mark.parametrize("name", sorted(bot.model.__all__))
def test_every_value_of_the_model_is_one(name: str) -> None:
    kind = getattr(bot.model, name)
    if isinstance(kind, type):
        assert dataclasses.is_dataclass(kind) and "__slots__" in vars(kind)
        assert vars(kind)["__setattr__"] is vars(Lamp)["__setattr__"]


def test_values_still_add_up() -> None:
    assert Tokens(1) + Tokens(2, 3) == Tokens(3, 3)
