"""How a Python source spells a registry: parsed, followed through imports, and unsure where only running would tell."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.model import Entry, Source
from bot.sources import spelling
from tests.support.forest import spelt, tree
from tests.support.repository import Scene

A, B = '{"slug": "a", "n": 1}', '{"slug": "b", "n": 2}'
CANONICAL = (Entry("a", '{"n": 1, "slug": "a"}'), Entry("b", '{"n": 2, "slug": "b"}'))
WHOLE = {
    "a list": f"THINGS = [{A}, {B}]",
    "a tuple with its type": f"THINGS: tuple = ({A}, {B})",
    "a mapping with the key inside": f"THINGS = {{1: {A}, 2: {B}}}",
    "a sum": f"THINGS = [{A}] + [{B}]",
    "an unpacked list": f"FIRST = [{A}]\nTHINGS = [*FIRST, {B}]",
    "a union": f"THINGS = {{1: {A}}} | {{2: {B}}}",
    "named entries": f"ONE = {A}\nTHINGS = [ONE, {B}]",
    "an append": f"THINGS = [{A}]\nTHINGS.append({B})",
    "an extension": f"THINGS = [{A}]\nTHINGS.extend([{B}])\nTHINGS.sort(key=len)",
    "an augmented sum": f"THINGS = [{A}]\nTHINGS += [{B}]",
    "an update": f"THINGS = {{1: {A}}}\nTHINGS.update({{2: {B}}})",
    "built from itself": f"THINGS = [{A}]\nTHINGS = [*THINGS, {B}]",
    "replaced": f"THINGS = [{B}, {B}]\nTHINGS = [{A}, {B}]",
    "keyed from a list": f"ALL = [{A}, {B}]\nTHINGS = {{one['slug']: one for one in ALL}}",
    "keyed otherwise": f"ALL = [{A}, {B}]\nTHINGS = {{one['n']: one for one in ALL}}",
    "behind a proxy": f"from types import MappingProxyType\nTHINGS = MappingProxyType({{1: {A}, 2: {B}}})",
    "beside functions that use it": f"THINGS = [{A}, {B}]\ndef find(slug):\n    return next(t for t in THINGS if t)",
}


@pytest.mark.parametrize("how", WHOLE)
def test_a_literal_is_spelt_whole_with_the_content_that_the_site_would_have(ground: Scene, how: str) -> None:
    found = spelt(ground, WHOLE[how])
    assert (found.entries, found.whole) == (CANONICAL, True)


def test_an_entry_that_is_made_by_a_call_is_outlined(ground: Scene) -> None:
    found = spelt(ground, 'THINGS = [Thing(slug="a", title=_("One")), {"slug": "b", "t": _("Two")}]')
    assert (found.entries, found.whole) == ((Entry("a", ""), Entry("b", "")), True)


UNSURE = {
    "a loop": 'THINGS = [{"slug": n} for n in "ab"]',
    "a comprehension that leaves out": f"THINGS = [one for one in [{A}, {B}] if one]",
    "a comprehension that changes": f"THINGS = [make(one) for one in [{A}, {B}]]",
    "a call": "THINGS = load()",
    "a key that is computed": 'THINGS = [{"slug": "a".upper()}]',
    "a call by place": 'THINGS = [Thing("a")]',
    "a statement that may do anything": f"THINGS = [{A}]\nfor one in THINGS:\n    one['n'] = 7\n",
    "a deletion": f"THINGS = [{A}]\ndel THINGS[0]",
    "a removal": f"THINGS = [{A}]\nTHINGS.pop()",
    "an entry replaced by its place": f"THINGS = [{A}]\nTHINGS[0] = {B}",
    "a condition": f"THINGS = [{A}]\nif True:\n    THINGS = []\n",
    "a name from elsewhere": "from flask import things as THINGS",
    "a name that is not there": "X = 1",
    "a file that does not parse": "THINGS = [",
    "a null byte": "THINGS = []\0",
    "a circle": "from other import THINGS",
}


@pytest.mark.parametrize("how", UNSURE)
def test_what_only_running_would_tell_is_not_whole(ground: Scene, how: str) -> None:
    assert not spelt(ground, UNSURE[how], files={"other.py": "from data import THINGS"}).whole


def test_an_attribute_of_a_class_is_not_followed(ground: Scene) -> None:
    assert not spelt(ground, f"class C:\n    THINGS = [{A}]", "C.THINGS").whole


TWICE = {
    "in the literal": 'THINGS = {"a": {"t": 1}, "b": {}, "a": {"t": 2}}',
    "over an unpacked one": 'BASE = {"a": {}}\nTHINGS = {"a": {"t": 2}, "b": {}, **BASE}',
    "by assignment": 'THINGS = {"a": {}, "b": {}}\nTHINGS["a"] = {"t": 2}',
    "by update": 'THINGS = {"a": {}, "b": {}}\nTHINGS.update({"a": {"t": 2}})',
    "by keywords": 'THINGS = {"a": {}, "b": {}}\nTHINGS.update(a={"t": 2})',
    "by a union": 'THINGS = {"a": {}, "b": {}} | {"a": {"t": 2}}',
    "by an augmented union": 'THINGS: dict = {"a": {}, "b": {}}\nTHINGS |= {"a": {"t": 2}}',
    "in a list": 'THINGS = [{"slug": "a"}, {"slug": "b"}, {"slug": "a", "t": 2}]',
    "keyed from a list": 'ALL = [{"slug": "a"}, {"slug": "b"}, {"slug": "a"}]\nTHINGS = {t["slug"]: t for t in ALL}',
    "keyed from calls": 'ALL = (T(slug="a"), T(slug="b"), T(slug="a"))\nTHINGS = {t.slug: t for t in ALL}',
    "copied from a list": 'ALL = [{"slug": "a"}, {"slug": "b"}, {"slug": "a", "t": 2}]\nTHINGS = [t for t in ALL]',
    "by calls": 'THINGS = {"a": T(1), "b": T(2), "a": T(3)}',
}


@pytest.mark.parametrize("how", TWICE)
def test_a_key_that_the_source_writes_twice_stands_twice(ground: Scene, how: str) -> None:
    assert sorted(one.key for one in spelt(ground, TWICE[how]).entries) == ["a", "a", "b"]


def test_imports_are_followed_through_packages(ground: Scene) -> None:
    files = {
        "shop/__init__.py": "from .deep.er import THINGS as STOCK",
        "shop/deep/__init__.py": "",
        "shop/deep/er.py": "from ..one import ONE\nfrom shop.two import MORE\nTHINGS = [*ONE, *MORE]",
        "shop/one.py": f"ONE = [{A}]",
        "shop/two.py": f"MORE = [{B}]",
    }
    assert spelt(ground, "from shop import STOCK as THINGS", files=files).entries == CANONICAL


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text("THINGS=[]{}()\n 'a:,*+|.xif\\", max_size=60), min_size=12, max_size=12))
def test_no_source_breaks_the_reading(ground: Scene, texts: list[str]) -> None:
    held = tree(ground, {f"data{number}.py": f"THINGS = [{A}]\n{text}" for number, text in enumerate(texts)})
    for number in range(len(texts)):
        spelling(held, (".",), Source("things", "python", "slug", object=f"data{number}:THINGS"))


def test_a_source_nested_without_end_is_unsure(ground: Scene) -> None:
    assert not spelt(ground, "THINGS = " + "[" * 90 + "]" * 90).whole
    assert not spelt(ground, "THINGS = " + "+".join(["[]"] * 20_000)).whole


def test_names_that_double_one_another_are_not_followed_for_ever(ground: Scene) -> None:
    lines = [f"A0 = [{A}]", *(f"A{at} = {{*A{at - 1}, *A{at - 1}}}" for at in range(1, 61)), "THINGS = A60"]
    assert not spelt(ground, "\n".join(lines)).whole
