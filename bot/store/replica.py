"""A scratch copy of the store and a scratch remote, so that a replay can commit and push, and nobody hears of it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from bot.store.git import Git, Identity, commit_tree
from bot.store.remote import Remote
from bot.store.repository import Store


def replica(store: Path, folder: Path, branch: str, base: str, *, raced: bool = False) -> Store:
    """A store in `folder` whose remote lies beside it, its branch at `base`; `raced`: somebody has pushed there since.

    Objects are shared by hard links where the folder allows it, for git never writes to one that exists. All else is
    copied: git writes to FETCH_HEAD in place.
    """
    remote, ours = folder / "remote.git", folder / "store.git"
    for copy in (remote, ours):
        shutil.copytree(store, copy, ignore=lambda folder, _: ["objects"] if Path(folder) == store else [])
        shutil.copytree(store / "objects", copy / "objects", copy_function=_linked)
    git = Git(remote)
    git.run("update-ref", f"refs/heads/{branch}", _moved(git, base) if raced else base)
    return Store.open(ours, Remote(str(remote)))


def _moved(git: Git, base: str) -> str:
    tree = git.run("rev-parse", f"{base}^{{tree}}").decode().strip()
    nobody = Identity("Somebody", "somebody@else.invalid", "2000-01-01T00:00:00+00:00")
    return commit_tree(git, tree, (base,), "A commit that came first\n", nobody)


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
