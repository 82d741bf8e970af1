"""A new entry is like its siblings in what they agree on, and free in all else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Entry, FieldRule, Holdings, Registry
from guards.facts import Facts
from guards.siblings import siblings
from tests.support.changes import CLAIM, grown, told
from tests.support.holdings import facts

TODAY = "2026-11-30"
STATUS = ("open", "finished", "open", "under way", "finished", "open", "under way", "open")
WORDS = ("bell", "lens", "mast", "horn", "mole", "rock", "quay", "hill")


def project(number: int, **more: Any) -> dict[str, Any]:
    """One of eight projects of one make."""
    word = WORDS[number % 8]
    return {
        "slug": f"the-{word}",
        "name": f"The {word}",
        "url": f"https://{word}.example/",
        "year": 2000 + number,
        "status": STATUS[number % 8],
        "summary": f"The {word} that was brought ashore in the year {number}.",
        "date": f"2025-0{number % 8 + 1}-1{number % 8}",
        "tags": [("fog", "lamps")[number % 2]],
        **more,
    }


EIGHT = [project(number) for number in range(8)]
FOUR, THREE, ONE = EIGHT[:4], EIGHT[:3], EIGHT[:1]
NEW = project(
    3, slug="the-store", name="The store", url="https://store.example/", summary="A vaulted store, dry again."
)


def new(**more: Any) -> dict[str, Any]:
    return {name: value for name, value in {**NEW, **more}.items() if value is not ...}


def after(old: list[dict[str, Any]], row: dict[str, Any], **more: Any) -> Facts:
    return grown(old, row, today=TODAY, **more)


def with_field(*values: Any, then: Any, **more: Any) -> Facts:
    """Siblings with these values of a field `x`, and a newcomer with another."""
    old = [{"slug": f"a-{n}", "x": value} for n, value in enumerate(values)]
    return after(old, {"slug": "the-new", "x": then}, **more)


ACCEPTED: dict[str, Facts] = {
    "one like the others": after(EIGHT, NEW),
    "a first entry": after([], NEW),
    "a second entry with all that the first has": after(ONE, NEW),
    "a field more": after(EIGHT, new(note="It leaks.")),
    "without a field that one sibling lacks": after([*EIGHT[1:], {**EIGHT[0], "tags": None}], new(tags=...)),
    "without a field that the owner frees": after(
        EIGHT, new(tags=...), rules={"articles": {"tags": FieldRule(required=False)}}
    ),
    "a number with a fraction": with_field(1, 2, 3, 4, then=2.5),
    "a year that was there": after(EIGHT, new(year=2003)),
    "a year that was not": after(EIGHT, new(year=1850)),
    "a new place among many": with_field("Mole", "Rock", "Quay", "Hill", "Row", "Rock", "Mole", "Bank", then="Garden"),
    "a new value among few entries": with_field("open", "open", "open", "shut", "shut", "open", then="lost"),
    "a new value where the owner lets it": after(
        EIGHT, new(status="lost"), rules={"articles": {"status": FieldRule(open=True)}}
    ),
    "a new tag among many": with_field(*([f"t{n}", "fog"] for n in range(8)), then=["storm"]),
    "another year in words": with_field(*["in 2024", "in 2025"] * 4, then="in 2026"),
    "a plain address among three": with_field(*["https://a.example"] * 3, then="http://b.example"),
    "a date of today": after(EIGHT, new(date=TODAY)),
    "a coming date where siblings have such": with_field(
        "2026-01-01", "2026-02-02", "2027-01-01", "2026-03-03", then="2027-05-05"
    ),
    "a Chinese slug where siblings have one": after(
        [*FOUR, project(4, slug="灯塔-历史")], new(slug="浓雾-号角")
    ),
    "a one-word status": with_field("open", "on-hold", "finished", "open", then="Under way"),
    "several lines where siblings have such": with_field("a\nb", "c", "d", "e", then="f\ng"),
    "a second paragraph where siblings have one long one": with_field(*["a b " * 40] * 4, then="a\n\nb"),
    "a text about markup": after(EIGHT, new(summary="The <dialog> element, and why </dialog> or {{ x }} is no magic.")),
    "a title that is a tag": after(EIGHT, new(name="<dialog>")),
    "markup where siblings have some": with_field("<p>a</p>", "b", "c", "d", then="<p>e</p>"),
    "a repeated name of two words": with_field("Jane Doe", "Tom Hill", "Ann Lee", "Max Row", then="Ann Lee"),
    "an empty list among three": with_field(["a"], ["b"], ["c"], then=[]),
    "an empty text where a sibling has one": with_field("a", "", "b", "c", then=""),
    "a list in another order and length": with_field(["a", "b"], ["c"], then=["b", "a", "d"]),
    "keys of a mapping": facts(
        Holdings((Registry("m", tuple(Entry(k, '{"t": 1}') for k in ("a", "b", "c"))),), ()), CLAIM,
        Holdings((Registry("m", tuple(Entry(k, '{"t": 1}') for k in ("a", "b"))),), ())),
    "plain values": facts(
        Holdings((Registry("m", tuple(Entry(k, f'"{k}"') for k in ("a", "b", "c"))),), ()), CLAIM,
        Holdings((Registry("m", tuple(Entry(k, f'"{k}"') for k in ("a", "b"))),), ())),
}  # fmt: skip
LAZY = {"<type>": "flask_babel.speaklater.LazyString", "<text>": "Store"}
REJECTED: dict[str, tuple[str, Facts]] = {
    "without a field": ("field-missing: articles/the-store: status", after(EIGHT, new(status=...))),
    "without a field of the only sibling": ("field-missing: articles/the-store: url", after(ONE, new(url=...))),
    "a field that is nothing": ("field-missing: articles/the-store: url", after(THREE, new(url=None))),
    "a field that the owner requires": (
        "field-missing: articles/the-store: note",
        after(EIGHT, NEW, rules={"articles": {"note": FieldRule(required=True)}}),
    ),
    "a language less": (
        "field-missing: articles/b: title.zh",
        after([{"slug": "a", "title": {"en": "A", "zh": "甲"}}], {"slug": "b", "title": {"en": "B"}}),
    ),
    "an empty text": ("field-empty: articles/the-store: summary", after(ONE, new(summary="  "))),
    "an empty list": ("field-empty: articles/the-store: tags", after(FOUR, new(tags=[]))),
    "a file without a body": (
        "field-empty: articles/b: <body>",
        after([{"slug": "a", "<body>": "A."}], {"slug": "b", "<body>": "\n"}),
    ),
    "a number as text": ("field-kind: articles/the-store: year", after(ONE, new(year="2003"))),
    "a truth as number": ("field-kind: articles/the-new: x", with_field(1, 2, then=True)),
    "a text as list": ("field-kind: articles/the-store: tags", after(ONE, new(tags="fog"))),
    "a number in a list of texts": ("field-kind: articles/the-store: tags", after(ONE, new(tags=["fog", 7]))),
    "a lazy text": ("field-kind: articles/the-store: name", after(EIGHT, new(name=LAZY))),
    "outside a closed set": ("field-value: articles/the-store: status", after(EIGHT, new(status="lost"))),
    "outside the closed set by its capitals": (
        "field-value: articles/the-store: status",
        after(EIGHT, new(status="Open")),
    ),
    "a tag outside": ("field-value: articles/the-store: tags", after(EIGHT, new(tags=["fog", "storm"]))),
    "no https": ("field-pattern: articles/the-store: url", after(FOUR, new(url="http://store.example/"))),
    "no URL": ("field-pattern: articles/the-store: url", after(FOUR, new(url="store.example"))),
    "a script as URL": ("field-pattern: articles/the-store: url", after(FOUR, new(url="javascript:alert(1)"))),
    "no slug": ("field-pattern: articles/The Store: slug", after(FOUR, new(slug="The Store"))),
    "a Chinese slug among others": ("field-pattern: articles/浓雾-号角: slug", after(FOUR, new(slug="浓雾-号角"))),
    "another form of date": ("field-pattern: articles/the-store: date", after(FOUR, new(date="30.11.2025"))),
    "no such date": ("field-pattern: articles/the-store: date", after(FOUR, new(date="2025-02-30"))),
    "a date tomorrow": ("field-future: articles/the-store: date", after(FOUR, new(date="2026-12-01"))),
    "several lines": ("field-pattern: articles/the-store: name", after(FOUR, new(name="The\nstore"))),
    "a URL again": ("field-repeated: articles/the-store: url", after(FOUR, new(url="https://bell.example/"))),
    "a sentence again": ("field-repeated: articles/the-store: summary", after(FOUR, new(summary=FOUR[1]["summary"]))),
    "markup": ("field-markup: articles/the-store: summary", after(FOUR, new(summary="<p>A vaulted store.</p>"))),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_differs_lawfully_passes(name: str) -> None:
    assert told(siblings, ACCEPTED[name]) == []


@pytest.mark.parametrize("name", REJECTED)
def test_what_is_unlike_its_siblings_is_refused_by_field(name: str) -> None:
    expected, given = REJECTED[name]
    assert told(siblings, given) == [expected]


def test_the_accepted_values_and_the_owners_way_out_are_named() -> None:
    (one,) = siblings(after(EIGHT, new(status="lost")))
    assert one.seen == "lost" and "one of: finished, open, under way" in one.accept
    assert "[registry.fields] status = { open = true }" in one.accept


def test_the_date_is_not_asked_where_today_is_unknown() -> None:
    assert told(siblings, grown(FOUR, new(date="2999-01-01"))) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


def among(before: list[str], content: str) -> Facts:
    old = tuple(Entry(f"old-{number}", one) for number, one in enumerate(before))
    held = [Holdings((Registry("m", entries),), ()) for entries in ((*old, Entry("the-new", content)), old)]
    return facts(held[0], CLAIM, held[1], today=TODAY)


@given(st.lists(JSON, max_size=9), JSON)
def test_no_content_breaks_the_guard(old: list[Any], one: Any) -> None:
    before = [json.dumps(row) for row in old]
    assert isinstance(told(siblings, among(before, json.dumps(one))), list)
    assert told(siblings, among([*before, "no json"], "neither")) == []


@given(JSON)
def test_a_copy_of_three_equal_siblings_is_like_them(one: Any) -> None:
    assert told(siblings, among([json.dumps(one)] * 3, json.dumps(one))) == []
