"""The workspace: a fresh export, whatever it held."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.workspace.folder import FolderWorkspace
from tests.support.repository import SITE, Scene, scene


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def held(root: Path) -> dict[str, str]:
    return {path.relative_to(root).as_posix(): path.read_text() for path in root.rglob("*") if path.is_file()}


def test_it_holds_the_tree_and_an_empty_git(here: Scene, tmp_path: Path) -> None:
    workspace = FolderWorkspace(here.store, tmp_path / "cycles/one/work")
    workspace.restore(here.base_tree)
    assert held(workspace.root) == SITE
    assert list((workspace.root / ".git").iterdir()) == []


def test_restoring_forgets_whatever_was_done_there(here: Scene, tmp_path: Path) -> None:
    workspace = FolderWorkspace(here.store, tmp_path / "work")
    workspace.restore(here.base_tree)
    (workspace.root / "app.py").write_text("changed")
    (workspace.root / "pages/one.html").unlink()
    (workspace.root / "more/inner").mkdir(parents=True)
    (workspace.root / "out").symlink_to("/etc")
    (workspace.root / "pages").chmod(0o000)
    workspace.restore(here.base_tree)
    assert held(workspace.root) == SITE


def test_discarding_removes_it_and_may_be_said_twice(here: Scene, tmp_path: Path) -> None:
    workspace = FolderWorkspace(here.store, tmp_path / "work")
    workspace.restore(here.base_tree)
    workspace.discard()
    workspace.discard()
    assert not workspace.root.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_it_belongs_to_its_owner(here: Scene, tmp_path: Path) -> None:
    workspace = FolderWorkspace(here.store, tmp_path / "work", owner=(61500, 61500))
    workspace.restore(here.base_tree)
    assert {path.lstat().st_uid for path in (workspace.root, *workspace.root.rglob("*"))} == {61500}
