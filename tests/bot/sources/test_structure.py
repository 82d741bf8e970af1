"""Text in YAML, JSON and TOML: what it means, and what is refused with its line."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.sources.front import split
from bot.sources.structure import DEPTH, read, settled
from bot.sources.yaml_text import NODES, Mapped, Unreadable

MEANT: dict[str, tuple[str, str, Any]] = {
    "a mapping": (
        "yaml", "a: 1\nb: [x, 'y', 2.5, true, ~, null, yes]\n", {"a": 1, "b": ["x", "y", 2.5, True, None, None, True]}
    ),
    "a date stays text": (
        "yaml", "day: 2026-11-30\nat: 2026-11-30 04:00:00\n", {"day": "2026-11-30", "at": "2026-11-30 04:00:00"}
    ),
    "quoted is text": ("yaml", "a: '1'\nb: \"yes\"\nc: !!str 7\n", {"a": "1", "b": "yes", "c": "7"}),
    "a block": ("yaml", "a: |\n  one\n  two\nb: >\n  x\n  y\n", {"a": "one\ntwo\n", "b": "x y\n"}),
    "an alias": ("yaml", "a: &x {n: 1}\nb: *x\n", {"a": {"n": 1}, "b": {"n": 1}}),
    "a merge": ("yaml", "d: &d {n: 1, m: 2}\na: {<<: *d, n: 3}\n", {"d": {"n": 1, "m": 2}, "a": {"n": 3, "m": 2}}),
    "merges, the first wins": ("yaml", "a: {<<: [{n: 1}, {n: 2, m: 2}]}\n", {"a": {"n": 1, "m": 2}}),
    "no merge": ("yaml", "[<<, '<<']", ["<<", "<<"]),
    "nothing": ("yaml", "# only a comment\n", None),
    "numbers as keys": ("yaml", "2024: x\n", {2024: "x"}),
    "numbers": ("yaml", "[0x1f, 0o17, 1_000, -2, .5]", [31, "0o17", 1000, -2, 0.5]),
    "JSON": ("json", '{"a": [1, 2.5, null, true, "é"]}', {"a": [1, 2.5, None, True, "é"]}),
    "TOML": (
        "toml", "a = 1\nday = 2026-11-30\nt = 04:00:00\n[[b]]\nc = 'x'\n",
        {"a": 1, "day": "2026-11-30", "t": "04:00:00", "b": [{"c": "x"}]},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MEANT)
def test_a_text_means_what_its_language_says(name: str) -> None:
    kind, text, value = MEANT[name]
    assert settled(read(kind, text)) == value


REFUSED = {
    "a tag that would run": ("yaml", "a: 1\nb: !!python/object/apply:os.system ['id']\n", 2),
    "a tag of its own": ("yaml", "a: !secret x\n", 1),
    "a set": ("yaml", "a: !!set {x, y}\n", 1),
    "two documents": ("yaml", "a: 1\n---\nb: 2\n", 0),
    "an unclosed list": ("yaml", "a: 1\nb: [\n", 3),
    "a tab": ("yaml", "a:\n\t- 1\n", 2),
    "an alias of nothing": ("yaml", "a: *x\n", 1),
    "an alias within itself": ("yaml", "a: &x [1, *x]\n", 1),
    "a key that is a list": ("yaml", "a: 1\n? [x, y]\n: z\n", 2),
    "a merge of no mapping": ("yaml", "a: {<<: 7}\n", 1),
    "a number that is none": ("yaml", "a: !!int x\n", 1),
    "truth that is none": ("yaml", "a: !!bool maybe\n", 1),
    "a control character": ("yaml", "a: \x01\n", 0),
    "deep YAML": ("yaml", "[" * 5_000, 1),
    "JSON that ends": ("json", '{"a": 1,\n "b": ', 2),
    "deep JSON": ("json", "[" * 100_000, 0),
    "a number without end": ("json", "9" * 5_000, 0),
    "TOML with a key twice": ("toml", "a = 1\nb = 2\na = 3\n", 3),
    "deep TOML": ("toml", "a = " + "[" * 5_000, 0),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_its_line(name: str) -> None:
    kind, text, line = REFUSED[name]
    with pytest.raises(Unreadable) as caught:
        read(kind, text)
    assert caught.value.line == line and caught.value.what


def test_a_bomb_of_aliases_is_refused() -> None:
    text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
    text += "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))
    with pytest.raises(Unreadable, match=str(NODES)):
        read("yaml", text)


@pytest.mark.parametrize(("kind", "text"), [("yaml", "a: 1\nb: 2\na: 3\n"), ("json", '{"a": 1, "b": 2, "a": 3}')])
def test_a_key_that_stands_twice_is_kept_twice(kind: str, text: str) -> None:
    held = read(kind, text)
    assert isinstance(held, Mapped) and held.pairs == (("a", 1), ("b", 2), ("a", 3))
    assert settled([held]) == [{"a": 3, "b": 2, "<again>": ["a"]}]


def test_what_is_nested_beyond_the_bound_is_refused_and_never_cut() -> None:
    assert settled(read("json", "[" * DEPTH + "]" * DEPTH))
    with pytest.raises(Unreadable, match="deep"):
        settled(read("json", "[" * (DEPTH + 2) + "]" * (DEPTH + 2)))


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("abc<é ", min_size=1), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=50, deadline=None)
@given(PLAIN)
def test_what_is_written_is_read_back(value: Any) -> None:
    assert settled(read("json", json.dumps(value))) == value
    text = yaml.safe_dump(value, allow_unicode=True)
    assert settled(read("yaml", text)) == yaml.safe_load(text)


@settings(max_examples=50, deadline=None)
@given(st.sampled_from(["yaml", "json", "toml"]), st.text("ab:-[]{}\"'&*!|>#?,%@`\n\t\\=.0~é\x00<", max_size=40))
def test_any_text_is_read_or_refused(kind: str, text: str) -> None:
    try:
        settled(read(kind, text))
    except Unreadable as error:
        assert error.what


FRONTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "YAML": ("---\ntitle: X\n---\nBody\n---\nmore\n", {"title": "X"}, "Body\n---\nmore\n"),
    "YAML with dots": ("---\ntitle: X\n...\nBody", {"title": "X"}, "Body"),
    "TOML": ("+++\ntitle = 'X'\n+++\nBody", {"title": "X"}, "Body"),
    "empty": ("---\n---\nBody", {}, "Body"),
    "none": ("# Title\n---\nBody", {}, "# Title\n---\nBody"),
    "an empty file": ("", {}, ""),
    "no body": ("---\na: 1\n---", {"a": 1}, ""),
    "fences inside a block": ("---\na: |\n  ---\n---\nBody", {"a": "---\n"}, "Body"),
}


@pytest.mark.parametrize("name", FRONTS)
def test_front_matter_is_told_from_the_body(name: str) -> None:
    text, fields, body = FRONTS[name]
    assert split(text) == (fields, body)


@pytest.mark.parametrize(
    ("text", "line"),
    [("---\na: 1\n", 1), ("---\na: 1\nb: [\n---\n", 4), ("---\n- a\n---\n", 1), ("+++\na = 1\nb = ?\n+++\n", 3)],
)
def test_front_matter_that_cannot_be_read_is_refused_with_the_files_own_line(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        split(text)
    assert caught.value.line == line
