"""Frames from a process that nobody believes."""

from __future__ import annotations

import base64
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Origin, Request, Response
from gates import frames

GOOD = {
    "status": 200,
    "headers": [["A", "b"]],
    "body": base64.b64encode(b"\x00x").decode(),
    "endpoint": None,
    "origin": None,
}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)
)


def test_an_answer_is_read_back() -> None:
    assert frames.response(json.dumps(GOOD).encode()) == Response(200, (("A", "b"),), b"\x00x")
    origin = {"type": "KeyError", "file": "a.py", "line": 3, "message": "m"}
    assert frames.response(json.dumps({**GOOD, "origin": origin}).encode()).origin == Origin("KeyError", "a.py", 3, "m")
    assert json.loads(frames.request(Request("GET", "/x", body=b"y"), 2.0))["body"] == "eQ=="


@pytest.mark.parametrize(
    "change",
    [
        {"status": "200"},
        {"status": True},
        {"status": -1},
        {"status": 1000},
        {"headers": [["A"]]},
        {"body": "?"},
        {"origin": {}},
        {"endpoint": 1},
    ],
)
def test_an_answer_of_another_shape_is_an_error(change: dict[str, object]) -> None:
    with pytest.raises(ValueError):
        frames.response(json.dumps({**GOOD, **change}).encode())


@given(st.binary() | JSON.map(lambda value: json.dumps(value).encode()))
def test_no_frame_breaks_the_reader(frame: bytes) -> None:
    for read in (frames.hello, frames.response):
        with pytest.raises(ValueError):
            read(frame)


def test_half_characters_are_spelt_out_for_nothing_could_write_them_down() -> None:
    frame = json.dumps({**GOOD, "endpoint": "a\ud800", "headers": [["A", "\udc80"]]}).encode()
    assert frames.response(frame) == Response(200, (("A", "\\udc80"),), b"\x00x", "a\\ud800")


def test_a_frame_that_is_nested_too_deep_is_an_error() -> None:
    with pytest.raises(ValueError):
        frames.hello(b"[" * 200_000)
    for depth in range(100, 1000, 50):  # however much of it the parser itself puts up with
        with pytest.raises(ValueError):
            frames.hello(b"[" * depth + b"]" * depth)


def test_a_greeting_is_read_back_and_one_with_strange_folders_is_an_error() -> None:
    said = {
        "host": "a.example",
        "host_matching": True,
        "versions": "flask",
        "statics": [["/s/<path:filename>", "static"]],
        "converters": [["colour", "red|blue"]],
    }
    statics = (frames.Static("/s/<path:filename>", "static"),)
    own = (("colour", "red|blue"),)
    assert frames.hello(json.dumps(said).encode()) == frames.Hello("a.example", True, "flask", statics, own)
    for strange in ({"statics": ["static"]}, {"converters": [["colour"]]}):
        with pytest.raises(ValueError):
            frames.hello(json.dumps({**said, **strange}).encode())
