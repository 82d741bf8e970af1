"""The store's own repository: made whole, private, and known again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from bot.store.bare import create, is_ours
from bot.store.git import Git
from tests.support.repository import git


def test_what_was_made_is_known_again_as_git_tells_it_too(tmp_path: Path) -> None:
    create(tmp_path / "deep/store.git")
    assert is_ours(tmp_path / "deep/store.git")
    assert git(tmp_path / "deep/store.git", "config", "plusone.store") == "1"
    assert (tmp_path / "deep/store.git").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("how", ["theirs", "empty", "absent"])
def test_what_others_made_is_not_ours(tmp_path: Path, how: str) -> None:
    folder = tmp_path / "store.git"
    if how == "theirs":
        Git().run("init", "--quiet", "--bare", str(folder))
    if how == "empty":
        folder.mkdir()
    assert not is_ours(folder)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_one_that_belongs_to_somebody_else_is_not_ours(tmp_path: Path) -> None:
    create(tmp_path / "store.git")
    os.chown(tmp_path / "store.git", 61501, 61501)
    assert not is_ours(tmp_path / "store.git")


def test_a_folder_that_cannot_be_taken_leaves_no_draft(tmp_path: Path) -> None:
    (tmp_path / "store.git").write_text("a file")
    with pytest.raises(OSError):
        create(tmp_path / "store.git")
    assert [path.name for path in tmp_path.iterdir()] == ["store.git"]
