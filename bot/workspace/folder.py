"""Owns the folder in which the agent works: a plain export of one tree, made anew and thrown away whole."""

from __future__ import annotations

from pathlib import Path

from bot.machine.removal import remove
from bot.store.repository import Store
from bot.workspace.plain import Folder, write_tree_to


class FolderWorkspace:
    """Implements `bot.ports.Workspace` in the folder `root`; with an `owner` (uid, gid), its files belong to it."""

    def __init__(self, objects: Store, root: Path, *, owner: tuple[int, int] | None = None) -> None:
        self.root = root
        self._store = objects
        self._owner = owner

    def restore(self, tree: str) -> None:
        """Make it a fresh export of the tree, whatever it held."""
        self.discard()
        write_tree_to(Folder(self.root, self._owner), self._store, self._store.entries(tree))

    def discard(self) -> None:
        """Remove it, whatever the agent left there."""
        remove(self.root)
