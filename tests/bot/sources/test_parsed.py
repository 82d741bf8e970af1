"""Registries in files and in data: read from real trees, or refused with file and line."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import SiteBroken
from bot.model import Entry, Source
from bot.sources import Tree, parsed
from tests.support.forest import harbours, keepers, tree
from tests.support.repository import Scene, with_links

AGNES = "---\nname: Agnes\nborn: 1851-02-03\n---\nShe kept it.\n"


def refused(ground: Scene, text: str | bytes, **more: str) -> SiteBroken:
    with pytest.raises(SiteBroken) as caught:
        harbours(ground, text, **more)
    assert "registry 'harbours'" in str(caught.value) or str(caught.value).startswith(caught.value.where)
    return caught.value


def test_each_file_is_an_entry_by_its_stem(ground: Scene) -> None:
    held = keepers(ground, {"keepers/b/tom.md": "Tom.\n", "keepers/agnes.md": AGNES, "keepers/x.txt": "no"})
    assert [one.key for one in held] == ["agnes", "tom"]
    assert json.loads(held[0].content) == {"<body>": "She kept it.\n", "born": "1851-02-03", "name": "Agnes"}


def test_the_key_may_be_a_field_and_an_equal_one_stands_twice(ground: Scene) -> None:
    held = keepers(ground, {"keepers/a.md": AGNES, "keepers/b.md": AGNES}, key="name")
    assert [one.key for one in held] == ["Agnes", "Agnes"]


def test_a_field_of_the_name_stem_is_not_the_stem(ground: Scene) -> None:
    assert keepers(ground, {"keepers/a.md": "---\nstem: x\n---\n"})[0].key == "a"


def test_a_change_anywhere_in_a_long_body_is_another_content(ground: Scene) -> None:
    long = "x" * 200_000
    one, other = (keepers(ground, {"keepers/a.md": long + end})[0].content for end in "ab")
    assert one != other and len(one) < 70_000


def test_line_ends_and_byte_order_marks_are_no_difference(ground: Scene) -> None:
    plain = keepers(ground, {"keepers/a.md": AGNES})
    assert keepers(ground, {"keepers/a.md": b"\xef\xbb\xbf" + AGNES.replace("\n", "\r\n").encode()}) == plain


@pytest.mark.parametrize(
    ("content", "where"),
    [
        (b"---\nname: \xff\n---\n", "keepers/a.md:2"),
        (b"---\nname: X\n", "keepers/a.md:1"),
        (b"---\nname: X\nborn: {\n---\n", "keepers/a.md:4"),
        (b"---\nborn: 1\n---\n", "keepers/a.md"),
        (b"---\nname: [x]\n---\n", "keepers/a.md"),
        (b"---\nname: ''\n---\n", "keepers/a.md"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_by_line(ground: Scene, content: bytes, where: str) -> None:
    with pytest.raises(SiteBroken) as caught:
        keepers(ground, {"keepers/a.md": content}, key="name")
    assert caught.value.where == where


def test_links_submodules_and_missing_files_are_refused_by_name(ground: Scene) -> None:
    linked = Tree(ground.store, with_links(ground))
    for glob in ("link", "module"):
        with pytest.raises(SiteBroken, match=f"{glob} is a link or a submodule"):
            parsed(linked, Source("keepers", "files", "stem", glob=glob))
    with pytest.raises(SiteBroken, match=r"no file of the tree matches \*\.rst"):
        parsed(linked, Source("keepers", "files", "stem", glob="*.rst"))
    with pytest.raises(SiteBroken, match=r"gone\.json is not in the tree"):
        parsed(linked, Source("harbours", "data", "id", file="gone.json"))


def test_a_file_that_is_too_large_is_refused(ground: Scene) -> None:
    with pytest.raises(SiteBroken, match="bytes, more than"):
        harbours(ground, b" " * (16 * 1024**2 + 1))


@pytest.mark.parametrize(
    ("name", "text", "at"),
    [
        ("h.yaml", "all: {list: [{id: north}, {id: south}]}", "all.list"),
        ("h.yml", "- {id: north}\n- {id: south}\n", ""),
        ("h.json", '[[{"id": "north"}, {"id": "south"}]]', "0"),
        ("h.toml", "[[all.list]]\nid = 'north'\n[[all.list]]\nid = 'south'\n", "all.list"),
        ("h.yaml", "all: {north: {d: 1}, south: {d: 2}}", "all"),
        ("h.yaml", "1: {id: north}\n2: {id: south}\n", ""),
        ("h.json", '{"north": "a text", "south": 7}', ""),
        ("h.yaml", "2024: {north: 1, south: 2}", "2024"),
    ],
)
def test_lists_and_mappings_are_registries_wherever_they_lie(ground: Scene, name: str, text: str, at: str) -> None:
    assert [one.key for one in harbours(ground, text, name=name, at=at)] == ["north", "south"]


def test_a_key_that_a_mapping_has_twice_stands_twice(ground: Scene) -> None:
    held = harbours(ground, "north: {d: 1}\nsouth: {d: 2}\nnorth: {d: 3}\n")
    assert held == (Entry("north", '{"d": 1}'), Entry("south", '{"d": 2}'), Entry("north", '{"d": 3}'))


def test_a_field_that_an_entry_has_twice_is_told_in_its_content(ground: Scene) -> None:
    assert harbours(ground, "- {id: north, d: 1, d: 2}")[0].content == '{"<again>": ["d"], "d": 2, "id": "north"}'


@pytest.mark.parametrize(
    ("text", "more", "what"),
    [
        ("a: 1\nb: }", {}, "h.yaml:2"),
        ("a: {b: 1}", {"at": "a.c"}, "no 'c' there"),
        ("[1]", {"at": "7"}, "no '7' there"),
        ("just a text", {}, "neither a list nor a mapping"),
        ("- {name: x}", {}, "without the field 'id'"),
        ("- x\n- y", {}, "without the field 'id'"),
        ("- {id: {a: 1}}", {}, "is no text"),
        ("[]", {"name": "h.csv"}, "neither .yaml, .json nor .toml"),
    ],
)
def test_data_that_is_no_registry_is_refused_with_what_is_missing(
    ground: Scene, text: str, more: dict[str, str], what: str
) -> None:
    assert what in str(refused(ground, text, **more))


BYTES = st.binary(max_size=60) | st.text("-+ab:[]{}\n é", max_size=60).map(lambda text: f"---\n{text}\n---\n".encode())


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(BYTES, min_size=10, max_size=10))
def test_whatever_a_file_holds_it_is_an_entry_or_refused_with_its_name(ground: Scene, contents: list[bytes]) -> None:
    held = tree(ground, {f"k{number}.md": content for number, content in enumerate(contents)})
    for number in range(len(contents)):
        try:
            entries = parsed(held, Source("keepers", "files", "stem", glob=f"k{number}.md")).entries
            assert [one.key for one in entries] == [f"k{number}"]
        except SiteBroken as error:
            assert error.where.startswith(f"k{number}.md")


NAMES = st.text(st.characters(exclude_characters="/\0", exclude_categories=["Cs"]), min_size=1, max_size=12)


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sets(NAMES, min_size=12, max_size=12))
def test_whatever_a_file_is_called_it_is_an_entry(ground: Scene, names: set[str]) -> None:
    held = keepers(ground, {f"keepers/x{name}.md": AGNES for name in names})
    assert sorted(one.key for one in held) == sorted(f"x{name}" for name in names)


def test_a_thousand_files_are_read_by_one_command(ground: Scene) -> None:
    held = parsed(
        tree(ground, {f"keepers/k{number}.md": AGNES for number in range(1000)}),
        Source("keepers", "files", "stem", glob="keepers/*.md"),
    )
    assert len(held.entries) == 1000


@pytest.mark.parametrize("field", ["id", "depth"])
def test_a_number_that_cannot_be_written_down_is_refused_with_its_file(ground: Scene, field: str) -> None:
    error = refused(ground, f"harbours:\n  - id: a\n    {field}: 0x{'f' * 5000}\n")
    assert "more digits than Python writes" in str(error) and error.where == "h.yaml"
