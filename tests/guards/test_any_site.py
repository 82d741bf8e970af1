"""Whatever a site holds, the guards judge it and do not break."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import Claim, Entry, Holdings, Registry, Rule
from guards import GUARDS
from guards.facts import adds
from guards.plain import entry
from ledger.trailers import parse, split, trailers
from tests.support.holdings import facts, line

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
ROWS = st.lists(st.tuples(TEXT.filter(bool), VALUES), max_size=6)
RULES = st.lists(st.tuples(TEXT, TEXT, st.sampled_from([("GET",), ("GET", "POST"), ()])), max_size=3)


def held(rows: list[tuple[str, Any]], rules: list[tuple[str, str, tuple[str, ...]]]) -> Holdings:
    entries = tuple(Entry(key, json.dumps(value, sort_keys=True, ensure_ascii=False)) for key, value in rows)
    given = tuple(Rule(f"/{path}", endpoint, methods) for path, endpoint, methods in rules)
    return Holdings((Registry("articles", entries),), given, (Registry("articles", entries[:2]),))


@settings(max_examples=60, deadline=None)
@given(ROWS, ROWS, RULES, RULES, st.tuples(TEXT, TEXT, TEXT), st.lists(TEXT, max_size=4))
def test_no_site_no_key_and_no_content_breaks_a_guard(
    old: list[Any], new: list[Any], before: list[Any], after: list[Any], said: tuple[str, str, str], words: list[str]
) -> None:
    claim = Claim(said[0] or "article", said[1] or "x", "", (said[2],))
    lines = tuple(line(text, number=number) for number, text in enumerate(words, 1))
    more = {"added": lines, "known": {f"articles/{word}": word for word in words}, "secrets": tuple(words)}
    given = facts(held(new, after), claim, held(old, before), **more)
    for guard in GUARDS:
        for one in guard(given):
            assert one.node == "guards" and one.what and one.accept
    keys = adds(given)
    assert parse(f"Title\n\n{trailers('c', keys, ())}").adds == keys
    assert [split(key)[1] for key in keys if key.startswith("articles/")] == [
        key for one in given.differences if one.name == "articles" for key in dict.fromkeys(one.added)
    ]


@settings(max_examples=50, deadline=None)
@given(VALUES, VALUES)
def test_equal_content_is_equal_text_and_other_content_is_another(one: Any, other: Any) -> None:
    left, right = (entry(value, "slug", "key")[1] for value in ({"v": one}, {"v": other}))
    assert (left == right) == (json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True))
