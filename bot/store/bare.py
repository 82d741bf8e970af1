"""Owns the bare repository below a store: how it is made, and how it is known again."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from bot.store.git import Git

_COLLECTING = 900  # seconds
_MARK = "[plusone]\n\tstore = 1\n"  # as git writes it


def create(folder: Path) -> None:
    """Make it, private to us: beside the folder and then moved in, so that a crash leaves a whole one or none."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".store-"))
    try:
        Git().run("init", "--quiet", "--bare", "--template=", "--object-format=sha1", str(draft))
        Git(draft).run("config", "--local", "plusone.store", "1")
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft)
        raise


def is_ours(folder: Path) -> bool:
    """Whether `create` made it. The file is read without git, for every firing waits for this."""
    try:
        settings = (folder / "config").read_text("utf-8", "replace")
    except OSError:
        return False
    return _MARK in settings and folder.stat().st_uid == os.geteuid()


def collect(folder: Path) -> None:
    """Give back the room of objects that nothing holds and that are older than a day, and pack the others."""
    Git(folder, seconds=_COLLECTING).run("gc", "--quiet", "--prune=1.day.ago")
