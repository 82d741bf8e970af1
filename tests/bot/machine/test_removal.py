"""Removal: whatever untrusted code left behind is gone, and nothing outside is touched."""

from __future__ import annotations

import os
from pathlib import Path

from bot.machine.removal import remove


def test_what_is_not_there_is_fine(tmp_path: Path) -> None:
    remove(tmp_path / "gone")


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("x")
    root = tmp_path / "root"
    (root / "inner").mkdir(parents=True)
    (root / "folder").symlink_to(outside)
    (root / "inner/file").symlink_to(outside / "file")
    os.mkfifo(root / "inner/fifo")
    remove(root)
    assert not root.exists()
    assert (outside / "file").read_text() == "x"
    (tmp_path / "link").symlink_to(outside)
    remove(tmp_path / "link")
    assert list(outside.iterdir())


def test_no_depth_and_no_mode_is_too_much(tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    here = os.open(root, os.O_RDONLY)
    for _ in range(3000):
        os.mkdir("deeper-and-deeper", dir_fd=here)
        inner = os.open("deeper-and-deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(here)
    (root / "closed/inner").mkdir(parents=True)
    (root / "closed/inner").chmod(0o000)
    (root / "closed").chmod(0o000)
    remove(root)
    assert not root.exists()
