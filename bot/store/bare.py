"""Owns the bare repository below a store: how it is made, and how it is known again."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from bot.store.fetched import NOTE
from bot.store.git import Git

_COLLECTING = 900  # seconds
_MARK = "[plusone]\n\tstore = 1\n"  # as git writes it


def create(folder: Path) -> None:
    """Make it, private to us: beside the folder and then moved in, so that a crash leaves a whole one or none."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".store-"))
    try:
        make(draft)
        draft.rename(folder)
    except BaseException:
        shutil.rmtree(draft)
        raise


def prepare(folder: Path) -> None:
    """Make the store where there is none. Raises ConfigError where none of ours lies, StoreDamaged where one did."""
    if not os.path.lexists(folder):
        create(folder)
    if not is_ours(folder):
        from bot.store.damage import raise_not_ours  # late: seldom needed

        raise_not_ours(folder)


def make(folder: Path) -> None:
    """Make it in an empty folder."""
    Git().run("init", "--quiet", "--bare", "--template=", "--object-format=sha1", str(folder))
    Git(folder).run("config", "--local", "plusone.store", "1")


def is_ours(folder: Path) -> bool:
    """Whether `create` made it. The file is read without git, for every firing waits for this."""
    try:
        settings = (folder / "config").read_text("utf-8", "replace")
    except OSError:
        return False
    return _MARK in settings and folder.stat().st_uid == os.geteuid()


def was_ours(folder: Path) -> bool:
    """Whether a fetch of ours has ended in it: where it is not ours by its settings, it has lost them."""
    try:
        return (folder / NOTE).stat().st_uid == os.geteuid()
    except OSError:
        return False


def collect(folder: Path) -> None:
    """Give back the room of objects that nothing holds and that are older than a day, and pack the others."""
    Git(folder, seconds=_COLLECTING).run("gc", "--quiet", "--prune=1.day.ago")
