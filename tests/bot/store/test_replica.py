"""A scratch store and remote in which a replay may commit and push."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.store.replica import replica
from tests.support.commands import contents
from tests.support.repository import BOT, Scene, branch_of, push_by_hand, scene


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    """A remote that has moved on since base."""
    made = scene(tmp_path / "live")
    push_by_hand(made.bare)
    made.store.fetch("main")
    return made


def folder(tmp_path: Path) -> Path:
    (tmp_path / "scratch").mkdir()
    return tmp_path / "scratch"


def test_its_branch_is_at_base_again_and_a_push_stays_inside(here: Scene, tmp_path: Path) -> None:
    before = contents(here.bare, here.store.folder)
    copy = replica(here.store.folder, folder(tmp_path), "main", here.base)
    assert copy.fetch("main") == here.base
    tree = copy.write_tree(here.base_tree, {"new.txt": ("100644", b"new\n")})
    oid = copy.commit(tree, here.base, "A commit\n", BOT)
    assert copy.push(oid, "main", here.base) == "pushed"
    assert branch_of(tmp_path / "scratch" / "remote.git") == oid
    assert contents(here.bare, here.store.folder) == before


def test_one_that_was_raced_loses_the_push_as_then(here: Scene, tmp_path: Path) -> None:
    copy = replica(here.store.folder, folder(tmp_path), "main", here.base, raced=True)
    oid = copy.commit(here.base_tree, here.base, "A commit\n", BOT)
    assert copy.push(oid, "main", here.base) == "lost"


def test_objects_are_shared_where_the_folder_allows_it_and_copied_where_not(
    here: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object) -> None:
        raise OSError("another device")

    shared = replica(here.store.folder, folder(tmp_path), "main", here.base)
    assert any(path.stat().st_nlink > 1 for path in (shared.folder / "objects").rglob("*") if path.is_file())
    monkeypatch.setattr("os.link", refused)
    (tmp_path / "other").mkdir()
    copied = replica(here.store.folder, tmp_path / "other", "main", here.base)
    assert all(path.stat().st_nlink == 1 for path in copied.folder.rglob("*") if path.is_file())
    assert copied.tree_of(here.base) == here.base_tree
