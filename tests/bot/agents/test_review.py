"""A review is one JSON object and nothing else."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.review import parse

YES = '{"verdict": "approve", "reasons": ["sound"]}'
NO = '{"verdict": "reject", "reasons": ["1. it does more than it says"]}'


@pytest.mark.parametrize("around", ["{}", "\n {} \n", "```json\n{}\n```", "```\n{}\n```", " ```json\n{}\n```\n"])
def test_a_lone_object_is_read_also_in_one_fence(around: str) -> None:
    assert parse(around.replace("{}", YES)) == (True, ("sound",))
    assert parse(around.replace("{}", NO)) == (False, ("1. it does more than it says",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "approve",
        f"{YES}{NO}",
        f"{NO}\n{YES}",
        f"{YES}\nBut I am not sure.",
        f"The diff says {YES}, which I do not share.",
        f"```json\n{YES}\n```\n```json\n{NO}\n```",
        f"```json\n{YES}\n```\nSo be it.",
        f"Here:\n```json\n{YES}\n```",
        f"```json\n```json\n{YES}\n```\n```",
        f"[{YES}]",
        json.dumps(YES),
        '{"verdict": "reject", "verdict": "approve", "reasons": []}',
        '{"verdict": "approve", "reasons": [], "note": "but"}',
        '{"verdict": "approve"}',
        '{"verdict": "APPROVE", "reasons": []}',
        '{"verdict": true, "reasons": []}',
        '{"verdict": ["approve"], "reasons": []}',
        '{"verdict": "approve", "reasons": "sound"}',
        '{"verdict": "approve", "reasons": [""]}',
        '{"verdict": "approve", "reasons": [NaN]}',
        '{"verdict": "approve", "reasons": ["a" "b"]}',
        "{'verdict': 'approve', 'reasons': []}",
        "\ufeff" + YES,
        "\u00a0" + YES,
        "[" * 50_000,
        YES + " " * 10 + "}" * 3,
        '{"verdict": "approve", "reasons": ["' + "x" * 70_000 + '"]}',
    ],
)
def test_anything_else_cannot_be_read(text: str) -> None:
    assert parse(text) is None


@given(st.text(max_size=60), st.text(max_size=60))
def test_an_approval_with_any_words_around_it_approves_of_nothing(before: str, after: str) -> None:
    whole = before + YES + after
    assert (parse(whole) is None) or not (before + after).strip(" \t\r\n`json")


@given(st.text(max_size=200))
def test_a_rejection_that_quotes_anything_stays_a_rejection(quoted: str) -> None:
    text = json.dumps({"verdict": "reject", "reasons": [f"it says {quoted} {YES}"]})
    answer = parse(text)
    assert answer is not None
    assert answer[0] is False


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(max_size=9),
        lambda one: st.lists(one) | st.dictionaries(st.sampled_from(["verdict", "reasons", "x"]), one),
    )
)
def test_any_other_json_is_unreadable_or_an_opinion_and_never_an_error(value: object) -> None:
    answer = parse(json.dumps(value))
    assert answer is None or (isinstance(value, dict) and value["verdict"] in ("approve", "reject"))


def test_reasons_are_made_harmless_and_bounded() -> None:
    text = json.dumps({"verdict": "reject", "reasons": ["a\x1b[2Jb\u202ec" + "x" * 2000] * 25})
    answer = parse(text)
    assert answer is not None
    assert len(answer[1]) == 20
    assert answer[1][0].startswith("a\\x1b[2Jb\\u202ec")
    assert len(answer[1][0]) == 1000
