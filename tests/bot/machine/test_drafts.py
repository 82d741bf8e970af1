"""Folders of the moment: what a dead process left goes, what anybody still uses stays."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import pytest

from bot.machine.drafts import draft, sweep_drafts


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def dead(purpose: str) -> None:
    """A process makes a draft and is killed in it."""
    child = os.fork()
    if child == 0:
        with draft(purpose) as folder:
            (folder / "file").write_text("x")
            (folder / "inner").mkdir(mode=0)
            os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)


def later() -> float:
    return time.time() + 3600


def test_a_draft_is_private_named_for_its_purpose_and_gone_at_the_end(place: Path) -> None:
    with draft("plusone-git") as folder:
        assert folder.parent == place and folder.name.startswith("plusone-git-")
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_swept(place: Path) -> None:
    dead("plusone-git")
    dead("plusone-tree")
    sweep_drafts(("plusone-git",), later())
    assert [path.name[:13] for path in place.iterdir()] == ["plusone-tree-"]


def test_what_is_in_use_or_only_just_made_stays(place: Path) -> None:
    dead("plusone-git")
    sweep_drafts(("plusone-git",), time.time())
    assert len(list(place.iterdir())) == 1, "between making and locking, a folder looks like rubbish"
    with draft("plusone-git") as folder:
        sweep_drafts(("plusone-git",), later())
        assert list(place.iterdir()) == [folder]


def test_links_files_and_others_folders_are_left_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "plusone-git-file").touch()
    (place / "kept").mkdir()
    (place / "plusone-git-link").symlink_to(place / "kept")
    sweep_drafts(("plusone-git",), later())
    assert len(list(place.iterdir())) == 3
    (place / "plusone-git-theirs").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    sweep_drafts(("plusone-git",), later())
    assert (place / "plusone-git-theirs").is_dir()
