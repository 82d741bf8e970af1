"""Owns how a tree becomes plain files in a new folder: our own writer, no git, no link ever made or followed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.errors import SnapshotFailed
from bot.frozen import frozen
from bot.model import TreeEntry
from bot.names import is_git, shown
from bot.store.repository import Store

LINK, MODULE = "120000", "160000"
_BATCH = 32 * 1024**2
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


@frozen
class Folder:
    """A new folder of ours that is being filled; with an `owner` (uid, gid), all that is put there belongs to it."""

    root: Path
    owner: tuple[int, int] | None = None

    def make(self) -> None:
        """Make the folder itself, closed to others, with an empty `.git`, so that nobody can put another there."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._own(self.root)
        self.folder(".git")

    def folder(self, path: str) -> None:
        """Make a folder and those above it."""
        for part in reversed((Path(path), *Path(path).parents)):
            target = self.root / part
            if part != Path() and not target.is_dir():
                target.mkdir(mode=0o755)
                target.chmod(0o755)  # whatever the umask
                self._own(target)

    def file(self, path: str, content: bytes, *, executable: bool = False) -> None:
        """Write a new file. Raises FileExistsError where something stands already."""
        self.folder(str(Path(path).parent))
        handle = os.open(self.root / path, _NEW, 0o600)
        with os.fdopen(handle, "wb") as new:
            new.write(content)
            os.fchmod(handle, 0o755 if executable else 0o644)
            if self.owner:
                os.fchown(handle, *self.owner)

    def replace(self, path: str, content: bytes) -> None:
        """Write a file over the one that may stand there."""
        (self.root / path).unlink(missing_ok=True)
        self.file(path, content)

    def _own(self, target: Path) -> None:
        if self.owner:
            os.chown(target, *self.owner, follow_symlinks=False)


def write_tree_to(folder: Folder, store: Store, entries: Mapping[str, TreeEntry]) -> None:
    """Fill the new folder with the entries. Symlinks become empty files, submodules empty folders."""
    folder.make()
    for path, entry in entries.items():
        if any(is_git(name) or name in ("", ".", "..") for name in path.split("/")):
            raise SnapshotFailed(f"the tree holds {shown(path)}, which cannot be exported: take it out of the branch")
        if entry.mode == MODULE:
            folder.folder(path)
        elif entry.mode == LINK:
            folder.file(path, b"")
    for batch in _batches({path: entry for path, entry in entries.items() if entry.mode not in (LINK, MODULE)}):
        contents = store.blobs(entry.oid for entry in batch.values())
        for path, entry in batch.items():
            folder.file(path, contents[entry.oid], executable=entry.mode == "100755")


def _batches(entries: Mapping[str, TreeEntry]) -> Iterator[Mapping[str, TreeEntry]]:
    """In portions whose contents fit in memory together."""
    batch: dict[str, TreeEntry] = {}
    size = 0
    for path, entry in entries.items():
        batch[path] = entry
        size += entry.size or 0
        if size > _BATCH:
            yield batch
            batch, size = {}, 0
    yield batch
