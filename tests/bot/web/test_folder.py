"""A folder that others may use too: ours come whole or not at all, what is not ours stays as it is."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.web import folder as page_folder
from bot.web.folder import LIST

FIRST = {"index.html": b"1", "style.css": b"s", "cycles/c1.html": b"c1", "cycles/c1/1-after.png": b"p"}
SECOND = {"index.html": b"2", "style.css": b"s", "cycles/c2.html": b"c2"}


def fill(folder: Path, files: Mapping[str, bytes], site: str = "harbour") -> None:
    page_folder.fill(folder, files, site)


def held(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != LIST)
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_what_is_ours_and_not_wanted_any_more_goes_and_nothing_else_does(tmp_path: Path) -> None:
    fill(tmp_path, FIRST)
    (tmp_path / "robots.txt").write_bytes(b"theirs")
    (tmp_path / "cycles" / "theirs.html").write_bytes(b"theirs")
    fill(tmp_path, SECOND)
    assert held(tmp_path) == {**SECOND, "robots.txt": b"theirs", "cycles/theirs.html": b"theirs"}
    assert not (tmp_path / "cycles/c1").exists()


def test_what_is_the_same_is_not_written_again(tmp_path: Path) -> None:
    fill(tmp_path, FIRST)
    before = (tmp_path / "style.css").stat().st_ino, (tmp_path / "index.html").stat().st_ino
    fill(tmp_path, SECOND)
    after = (tmp_path / "style.css").stat().st_ino, (tmp_path / "index.html").stat().st_ino
    assert before[0] == after[0] and before[1] != after[1]


@pytest.mark.parametrize("name", ["index.html", "cycles/c2.html"])
def test_a_file_that_is_not_ours_is_never_written_over(tmp_path: Path, name: str) -> None:
    fill(tmp_path, {"style.css": b"s"})
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_bytes(b"theirs")
    before = held(tmp_path)
    with pytest.raises(ConfigError, match="is not harbour's page of before"):
        fill(tmp_path, SECOND)
    assert held(tmp_path) == before


def test_nothing_is_written_or_removed_through_a_link(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    (outside / "c1.html").write_bytes(b"precious")
    fill(inside, {"index.html": b"1"})
    (inside / "cycles").symlink_to(outside)
    (inside / LIST).write_text(json.dumps({"site": "harbour", "files": ["cycles/c1.html", "index.html"]}))
    with pytest.raises(ConfigError, match="is a link"):
        fill(inside, {"index.html": b"2"})
    assert (outside / "c1.html").read_bytes() == b"precious" and (inside / "index.html").read_bytes() == b"1"


def test_a_list_that_names_what_we_never_write_removes_nothing_of_it(tmp_path: Path) -> None:
    precious = tmp_path / "pages" / "wp-config.php"
    fill(precious.parent, FIRST)
    precious.write_text("theirs")
    (tmp_path / "above.html").write_text("theirs")
    listed = ["wp-config.php", "../above.html", "cycles/../wp-config.php", 7, *FIRST]
    (precious.parent / LIST).write_text(json.dumps({"site": "harbour", "files": listed}))
    fill(precious.parent, SECOND)
    assert precious.exists() and (tmp_path / "above.html").exists()


def test_where_one_file_cannot_be_written_none_is(tmp_path: Path) -> None:
    fill(tmp_path, FIRST)
    (tmp_path / "cycles/c1/1-after.png").unlink()
    (tmp_path / "cycles/c1").rmdir()
    (tmp_path / "cycles/c1").write_bytes(b"a file where a folder must be")
    with pytest.raises(ConfigError, match="cannot be written there"):
        fill(tmp_path, {**FIRST, "index.html": b"2"})
    assert (tmp_path / "index.html").read_bytes() == b"1" and not [*tmp_path.glob(".plusone-draft-*")]


def test_drafts_of_a_write_that_died_are_removed_and_a_bad_list_is_no_list(tmp_path: Path) -> None:
    fill(tmp_path, FIRST)
    (tmp_path / ".plusone-draft-x").write_bytes(b"half")
    (tmp_path / LIST).write_bytes(b"[1]")
    with pytest.raises(ConfigError, match="is not harbour's page of before"):  # it cannot be known whose they are
        fill(tmp_path, FIRST)
    for name in FIRST:
        (tmp_path / name).unlink()
    fill(tmp_path, FIRST)
    assert not [*tmp_path.glob(".plusone-draft-*")]


def test_a_web_server_may_read_it_whatever_our_umask(tmp_path: Path) -> None:
    before = os.umask(0o077)
    try:
        fill(tmp_path / "pages", FIRST)
    finally:
        os.umask(before)
    assert {oct(path.stat().st_mode & 0o777) for path in (tmp_path / "pages").rglob("*.*")} == {"0o644"}
    assert {oct(path.stat().st_mode & 0o777) for path in (tmp_path / "pages/cycles", tmp_path / "pages")} == {"0o755"}


def test_two_sites_do_not_share_a_folder(tmp_path: Path) -> None:
    fill(tmp_path, FIRST)
    with pytest.raises(ConfigError, match="is not lamp's page of before"):
        fill(tmp_path, SECOND, "lamp")
    assert held(tmp_path) == FIRST
