"""Which pages are looked at, and how their pictures are kept and found again."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import Claim
from bot.pictures import Album, Shown, Taken, arranged, chosen, keep, kept, picture

CLAIM = Claim("feature", "tides", "", routes=("/tides", "/tides/<day>", "/zh/潮汐"), changes=("/", "/tides?day=1"))


def test_the_pages_of_the_claim_are_looked_at_once_and_rules_with_blanks_are_not() -> None:
    assert chosen(CLAIM) == {"/tides": True, "/zh/潮汐": True, "/": False, "/tides?day=1": False}


@pytest.mark.parametrize(
    "url",
    ["//evil.example/", "/\\evil.example/", "http://evil.example/", "javascript:1", "/\n", "/\u202e", "", "/a b",
     "/" + "a" * 300],
)  # fmt: skip
def test_what_is_no_path_of_the_site_is_not_asked_for(url: str) -> None:
    assert chosen(Claim("feature", "x", "", routes=(url,), changes=(url,))) == {}


def test_a_page_that_is_new_and_changed_has_a_before(tmp_path: Path) -> None:
    assert chosen(Claim("feature", "x", "", routes=("/x",), changes=("/x",))) == {"/x": False}


def test_each_page_names_its_pictures_or_tells_what_is_missing() -> None:
    before, after = {"/": Taken(b"b")}, {"/": Taken(b"a"), "/new": Taken(b"", "the page\nhangs")}
    assert [*arranged({"/": False, "/new": True}, before, after)] == [
        Shown("/", False, "1-before.png", "1-after.png"),
        Shown("/new", True, why="the page hangs"),
    ]


def test_an_album_comes_back_as_it_was_and_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    folder = tmp_path / "pictures"
    assert kept(folder) is None
    keep(folder, Album((Shown("/", False, "1-before.png"),)), {"1-before.png": b"old", "2-after.png": b"gone"})
    album = Album((Shown("/", False, "1-before.png"),), "some")
    keep(folder, album, {"1-before.png": b"new"})
    assert kept(folder) == album
    assert (picture(folder, "1-before.png"), picture(folder, "2-after.png")) == (b"new", None)
    assert [path.name for path in tmp_path.iterdir()] == ["pictures"]


@pytest.mark.parametrize("name", ["", "album.json", "../1-after.png", "1-after.png/..", "1-after.PNG", "11-after.png"])
def test_no_other_file_is_handed_out(tmp_path: Path, name: str) -> None:
    keep(tmp_path / "pictures", Album(), {"1-after.png": b"x"})
    (tmp_path / "1-after.png").write_bytes(b"outside")
    assert picture(tmp_path / "pictures", name) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"pages": [{"url": 1}], "why": ""}', '{"pages": 3, "why": ""}'])
def test_an_album_that_cannot_be_read_says_so(tmp_path: Path, text: str) -> None:
    (tmp_path / "album.json").write_text(text)
    assert kept(tmp_path) == Album(why="they were kept, but cannot be read")
