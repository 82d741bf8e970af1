"""Every value of the model survives its JSON, and nothing else is read as one."""

from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bot.model as model
from bot.codec import decode, encode
from bot.errors import JournalError

KINDS = sorted(
    name
    for name in model.__all__
    if isinstance(getattr(model, name), type) and dataclasses.is_dataclass(getattr(model, name))
)
CLAIM = model.Claim("article", "harbour-lights", "One article.", ("/articles/harbour-lights",))
PLAIN = settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))

st.register_type_strategy(float, st.floats(allow_nan=False, allow_infinity=False))


@pytest.mark.parametrize("name", KINDS)
@PLAIN
@given(data=st.data())
def test_every_value_comes_back_equal_and_of_its_own_type(name: str, data: st.DataObject) -> None:
    value = data.draw(st.from_type(getattr(model, name)))
    back = decode(name, encode(value))
    assert type(back) is type(value)
    assert dataclasses.astuple(back) == dataclasses.astuple(value)  # type: ignore[call-overload]


def test_tuples_ranges_and_nested_values_come_back_as_they_were() -> None:
    addition = model.Addition("feature", {"url_map": model.Range(0, 2)})
    assert decode("Addition", encode(addition)) == addition
    snapshot = model.Snapshot("b" * 40, "t" * 40, "n" * 40, CLAIM, (model.Change("a.py", "added"),))
    back = decode("Snapshot", encode(snapshot))
    assert back == snapshot
    assert isinstance(back, model.Snapshot) and isinstance(back.changes, tuple)


def test_bytes_that_are_no_text_come_back() -> None:
    response = model.Response(200, (("a", "b"),), b"\xff\x00\xfe")
    assert decode("Response", encode(response)) == response


def test_a_mapping_keeps_its_order_so_that_text_made_from_it_is_the_same_after_a_crash() -> None:
    one = model.Evidence("lint", {"verified": 1, "login": 2, "failing": 3})
    again = decode("Evidence", encode(one))
    assert isinstance(again, model.Evidence)
    assert again.line == one.line == "lint: verified 1, login 2, failing 3"


def test_look_alike_types_are_not_read_as_each_other() -> None:
    text = encode(model.GuardsPassed("t", ("articles/a",)))
    for name in ("GatePassed", "GuardObjections", "ReviewApproved", "ReviewObjections"):
        with pytest.raises(JournalError):
            decode(name, text)


def _spoilt(change: str) -> str:
    plain = json.loads(encode(CLAIM))
    match change:
        case "a field more":
            plain["more"] = 1
        case "a field less":
            del plain["kind"]
        case "a defaulted field less":
            del plain["routes"]
        case "a number for a text":
            plain["key"] = 7
        case "a text for a tuple":
            plain["routes"] = "/a"
    return json.dumps(plain)


@pytest.mark.parametrize(
    "change",
    ["a field more", "a field less", "a defaulted field less", "a number for a text", "a text for a tuple"],
)
def test_a_record_with_a_wrong_field_is_refused(change: str) -> None:
    with pytest.raises(JournalError, match="cannot read a Claim"):
        decode("Claim", _spoilt(change))


def test_a_nested_field_more_is_refused() -> None:
    plain = json.loads(encode(model.Built(CLAIM)))
    plain["claim"]["more"] = 1
    with pytest.raises(JournalError, match="Built"):
        decode("Built", json.dumps(plain))


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "7", '"Claim"', "\x00"])
def test_text_that_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(JournalError):
        decode("Claim", text)


@pytest.mark.parametrize("name", ["", "Nothing", "Decision", "os.system", "__name__"])
def test_an_unknown_type_is_refused_by_name(name: str) -> None:
    with pytest.raises(JournalError, match="no such value type"):
        decode(name, "{}")


def test_a_value_from_elsewhere_is_not_recorded() -> None:
    @dataclasses.dataclass(frozen=True)
    class Claim:
        kind: str

    for value in (Claim("article"), {"kind": "article"}, 7):
        with pytest.raises(JournalError, match=r"not a value of bot\.model"):
            encode(value)


def test_a_field_of_the_wrong_type_is_not_recorded() -> None:
    with pytest.raises(JournalError, match="cannot record a Refused"):
        encode(model.Refused("wait", "soon", 7))  # type: ignore[arg-type]
    with pytest.raises(JournalError, match="cannot record a Ran"):
        encode(model.Ran(0, b"", b"", float("inf")))
