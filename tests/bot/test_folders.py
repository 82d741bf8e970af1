"""The state folder: its layout, its privacy, and how it says that it cannot be written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.folders import Folders


def test_the_layout_is_the_one_that_is_promised(tmp_path: Path) -> None:
    folders = Folders.of(tmp_path, "harbour")
    names = [folders.lock, folders.journal, folders.ledger, folders.store, folders.cache, folders.cycle("a-1")]
    assert [str(path.relative_to(tmp_path / "harbour")) for path in names] == [
        "lock",
        "journal.db",
        "ledger.db",
        "store.git",
        "cache",
        "cycles/a-1",
    ]


def test_looking_makes_nothing(tmp_path: Path) -> None:
    assert Folders.of(tmp_path / "state", "harbour").cycle("20261130T040000Z-7f3a").parent.name == "cycles"
    assert list(tmp_path.iterdir()) == []


def test_what_is_made_is_private_whatever_the_umask(tmp_path: Path) -> None:
    folders = Folders.of(tmp_path / "state", "harbour")
    before = os.umask(0)
    try:
        folders.create()
        made = folders.make_cycle("20261130T040000Z-7f3a")
    finally:
        os.umask(before)
    for folder in (folders.root, folders.cache, folders.cycles, folders.scratch, made):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert sorted(path.name for path in folders.root.iterdir()) == ["cache", "cycles", "scratch"]


def test_making_it_again_keeps_what_is_there(tmp_path: Path) -> None:
    folders = Folders.of(tmp_path, "harbour")
    folders.create()
    folders.journal.write_text("rows")
    (folders.make_cycle("a") / "record").write_text("kept")
    folders.create()
    assert folders.journal.read_text() == "rows"
    assert (folders.make_cycle("a") / "record").read_text() == "kept"


@pytest.mark.parametrize("name", ["", ".", "..", "../a", "a/b", "/etc", "a\n", "-a", "a" * 65])
def test_what_is_no_cycle_id_never_becomes_a_path(tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match="is no cycle id; `plusone runs` lists them"):
        Folders(tmp_path).cycle(name)


def test_a_state_folder_that_cannot_be_made_is_one_line_that_names_the_option(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ConfigError, match=r"cannot keep state here: .*; .* --state") as caught:
        Folders.of(tmp_path / "file", "harbour").create()
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 78


@pytest.mark.parametrize("name", ["cache", "scratch", "cycles"])
def test_what_stands_in_the_place_of_a_folder_is_named(name: str, tmp_path: Path) -> None:
    Folders(tmp_path / "state").create()
    (tmp_path / "state" / name).rmdir()
    (tmp_path / "state" / name).symlink_to("/nonexistent/place")
    with pytest.raises(ConfigError, match=rf"state/{name}: cannot keep state here: it is no folder; move it away"):
        Folders(tmp_path / "state").create()


def test_a_state_folder_on_a_read_only_place_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="--state"):
        Folders.of(Path("/proc"), "harbour").create()


def test_a_relative_state_folder_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert Folders.of(Path("state"), "harbour").root == tmp_path / "state/harbour"
