"""Whatever the site's process says, it is an answer of the right shape or a ValueError."""

from __future__ import annotations

import base64
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from bot.codec import encode
from bot.model import GateObjections, Objection, Origin, Response
from gates import frames

ANSWER = {
    "status": 200,
    "headers": [["Content-Type", "text/html"], ["Location", "/x"]],
    "body": base64.b64encode(b"<p>x").decode(),
    "endpoint": "home",
    "origin": {"type": "KeyError", "file": "a.py", "line": 3, "message": "m"},
}
HELLO = {"host": "a.example", "host_matching": True, "versions": "flask", "statics": [["/s/<path:filename>", "static"]]}
TEXT = st.text() | st.sampled_from(["\ud800", "\udc80x", "\0", "\u202e", "=", "eA==", "eA", "9" * 5000])
ODD = st.none() | st.booleans() | st.integers() | st.floats() | TEXT | st.sampled_from([10**400, -1, 1e999])
JSON = st.recursive(ODD, lambda one: st.lists(one, max_size=4) | st.dictionaries(TEXT, one, max_size=4), max_leaves=12)


@st.composite
def said(draw: st.DrawFn) -> bytes:
    """A good frame in which something was changed: a value, a key, some bytes, or its end."""
    frame: Any = json.loads(json.dumps(draw(st.sampled_from([ANSWER, HELLO, {"error": ANSWER["origin"]}]))))
    for _ in range(draw(st.integers(0, 3))):
        place: Any = frame
        key = draw(st.sampled_from(sorted(place)))
        while isinstance(place[key], dict | list) and place[key] and draw(st.booleans()):
            place = place[key]
            key = draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        place[key] = draw(JSON)
    text = bytearray(json.dumps(frame).encode())
    for _ in range(draw(st.integers(0, 2))):
        text[draw(st.integers(0, len(text) - 1))] = draw(st.integers(0, 255))
    return bytes(text[: draw(st.sampled_from([len(text), len(text), len(text) // 2]))])


@given(said() | st.binary(max_size=200) | JSON.map(lambda value: json.dumps(value).encode()))
def test_a_frame_is_an_answer_of_the_right_shape_or_an_error(frame: bytes) -> None:
    try:
        answer = frames.response(frame)
    except ValueError:
        return
    assert type(answer.status) is int and 0 <= answer.status <= 999
    assert all(type(part) is str for pair in answer.headers for part in pair)
    assert isinstance(answer.body, bytes) and type(answer.endpoint) in (str, type(None))
    if answer.origin is not None:
        _fit(answer.origin)
    _quotable(answer)


@given(said() | st.binary(max_size=200))
def test_a_first_frame_is_a_greeting_or_a_complaint_or_an_error(frame: bytes) -> None:
    try:
        hello = frames.hello(frame)
    except ValueError:
        return None
    if isinstance(hello, Origin):
        return _fit(hello)
    assert type(hello.host) is str and type(hello.matching) is bool and len(hello.versions) <= 200
    assert all(type(part) is str for one in hello.statics for part in (one.rule, one.folder))
    return None


def _fit(origin: Origin) -> None:
    assert [type(one) for one in (origin.type, origin.file, origin.line, origin.message)] == [str, str, int, str]


def _quotable(answer: Response) -> None:
    """Each of its texts can stand in an objection, and so in the journal."""
    texts = [part for pair in answer.headers for part in pair] + [answer.endpoint or ""]
    texts += [answer.origin.type, answer.origin.file, answer.origin.message] if answer.origin else []
    assert encode(GateObjections("a" * 40, (Objection("x", "gate", "", "x", "x", " ".join(texts)),), ()))
