"""Owns the look at one tree's files: found by name, bounded in size, and read as text or refused with their place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.errors import SiteBroken
from bot.model import TreeEntry
from bot.ports import Objects

FILE, TOTAL = 16 * 1024**2, 256 * 1024**2
_REGULAR = ("100644", "100755")


class Tree:
    """The files of one tree of the store."""

    def __init__(self, objects: Objects, tree: str) -> None:
        self._objects = objects
        self._entries: Mapping[str, TreeEntry] = objects.entries(tree)

    @property
    def paths(self) -> Iterable[str]:
        """Every path, in git's order."""
        return self._entries

    def holds(self, path: str) -> bool:
        """Whether a regular file of bounded size lies there."""
        found = self._entries.get(path)
        return found is not None and found.mode in _REGULAR and (found.size or 0) <= FILE

    def content(self, path: str) -> bytes:
        """A regular file's bytes. Raises SiteBroken where there is none, or it is too large."""
        return self.contents([path])[path]

    def contents(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """The bytes of many files, read at once. Raises SiteBroken as `content` does."""
        found = {path: self._regular(path) for path in paths}
        if sum(entry.size or 0 for entry in found.values()) > TOTAL:
            raise SiteBroken(f"the files of one registry have more than {TOTAL} bytes; narrow its glob")
        blobs = self._objects.blobs(entry.oid for entry in found.values())
        return {path: blobs[entry.oid] for path, entry in found.items()}

    def text(self, path: str) -> str:
        """A file's text. Raises SiteBroken where it is none in UTF-8."""
        return decoded(path, self.content(path))

    def _regular(self, path: str) -> TreeEntry:
        found = self._entries.get(path)
        if found is None:
            raise SiteBroken(f"{path} is not in the tree; correct the registry's file", path)
        if found.mode not in _REGULAR:
            raise SiteBroken(f"{path} is a link or a submodule, which is not followed", path)
        if (found.size or 0) > FILE:
            raise SiteBroken(f"{path} has {found.size} bytes, more than the {FILE} that are parsed", path)
        return found


def decoded(path: str, content: bytes) -> str:
    """UTF-8, with or without its mark, line ends as they may be. Raises SiteBroken with the line that is not."""
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SiteBroken(f"{path}:{line} is not UTF-8", f"{path}:{line}") from error
