"""Folders of the moment: what a dead process left goes, what anybody still uses stays."""

from __future__ import annotations

import os
import signal
import tempfile
from pathlib import Path

import pytest

from bot.machine.drafts import draft, sweep_drafts
from bot.machine.removal import remove


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


def test_a_draft_is_private_named_for_its_purpose_and_gone_at_the_end(place: Path) -> None:
    with draft("plusone-git") as folder:
        assert folder.parent == place and folder.name.startswith("plusone-git-")
        assert folder.stat().st_mode & 0o777 == 0o700
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_swept(place: Path) -> None:
    dead("plusone-git")
    dead("plusone-tree")
    sweep_drafts(("plusone-git",))
    assert [path.name[:13] for path in place.iterdir()] == ["plusone-tree-"]


def test_what_is_in_use_stays_however_old_it_looks(place: Path) -> None:
    with draft("plusone-git") as folder:
        os.utime(folder, (1, 1))
        sweep_drafts(("plusone-git",))
        assert list(place.iterdir()) == [folder]


def test_a_draft_stays_its_makers_until_it_is_wholly_removed(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def swept_midway(folder: Path) -> None:
        sweep_drafts(("plusone-git",))
        assert list(folder.iterdir()) == [folder / "file"]
        remove(folder)

    with draft("plusone-git") as folder:
        (folder / "file").touch()
        monkeypatch.setattr("bot.machine.drafts.remove", swept_midway)
    assert list(place.iterdir()) == []


def test_a_draft_that_a_sweep_took_before_it_was_locked_is_made_anew(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []
    real = tempfile.mkdtemp

    def taken(**given: str) -> str:
        made.append(real(**given))
        if len(made) == 1:
            sweep_drafts(("plusone-git",))
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", taken)
    with draft("plusone-git") as folder:
        assert len(made) == 2 and list(place.iterdir()) == [folder]


def test_nobody_loses_a_draft_to_those_who_sweep_beside_it(place: Path) -> None:
    child = os.fork()
    if child == 0:
        try:
            while True:
                sweep_drafts(("plusone-tree",))
        finally:
            os._exit(1)
    try:
        for _ in range(50):
            with draft("plusone-tree") as folder:
                for number in range(20):
                    (folder / f"blob{number}").touch()
                assert len(list(folder.iterdir())) == 20
    finally:
        os.kill(child, signal.SIGKILL)
        assert os.WIFSIGNALED(os.waitpid(child, 0)[1]), "it swept to the end"
    assert list(place.iterdir()) == []


def test_links_files_and_others_folders_are_left_alone(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "plusone-git-file").touch()
    (place / "kept").mkdir()
    (place / "plusone-git-link").symlink_to(place / "kept")
    sweep_drafts(("plusone-git",))
    assert len(list(place.iterdir())) == 3
    (place / "plusone-git-theirs").mkdir()
    monkeypatch.setattr(os, "geteuid", lambda: 54321)
    sweep_drafts(("plusone-git",))
    assert (place / "plusone-git-theirs").is_dir()
