"""Git objects that were read once: what an id names never changes, so it is not asked for again while there is room."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from bot.errors import CommandFailed
from bot.model import TreeEntry
from bot.store.git import Git
from bot.store.trees import listed

_ID = re.compile(r"[0-9a-f]{40}")
_ROOM = 32 * 1024**2  # bytes of blobs
_LARGE = 1024**2  # bytes; such a blob is read each time
_TREES = 16


class Held:
    """Reads trees and blobs of one store. Threads may share it: the worst that a race costs is a second reading."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._trees: dict[str, Mapping[str, TreeEntry]] = {}
        self._blobs: dict[str, bytes] = {}

    def entries(self, tree: str) -> Mapping[str, TreeEntry]:
        """Every path of the tree, recursively, in git's order; names that are not UTF-8 hold surrogate escapes."""
        if (known := self._trees.get(tree)) is not None:
            return known
        found = listed(self._git, tree)
        if _ID.fullmatch(tree):
            if len(self._trees) >= _TREES:
                self._trees = {}
            self._trees[tree] = found
        return found

    def blob(self, oid: str) -> bytes:
        """A blob's content. Raises CommandFailed where there is none of that id."""
        if (known := self._blobs.get(oid)) is not None:
            return known
        content = self._git.run("cat-file", "blob", oid)
        self._keep({oid: content})
        return content

    def blobs(self, oids: Iterable[str]) -> Mapping[str, bytes]:
        """The contents of many blobs, those that are not known read by one command."""
        wanted, known = tuple(dict.fromkeys(oids)), self._blobs
        fresh = self._read(tuple(oid for oid in wanted if oid not in known))
        self._keep(fresh)
        return {oid: fresh[oid] if oid in fresh else known[oid] for oid in wanted}

    def _read(self, wanted: tuple[str, ...]) -> dict[str, bytes]:
        if not wanted:
            return {}
        answer = memoryview(self._git.run("cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in wanted).encode()))
        found, at = {}, 0
        for oid in wanted:
            end = at + bytes(answer[at : at + 128]).index(b"\n")
            facts = bytes(answer[at:end]).split(b" ")
            if len(facts) != 3 or facts[1] != b"blob":
                raise CommandFailed(f"git cat-file: {oid[:12]} is no blob of the store {self._git.folder}")
            found[oid] = bytes(answer[end + 1 : end + 1 + int(facts[2])])
            at = end + 2 + int(facts[2])
        return found

    def _keep(self, fresh: Mapping[str, bytes]) -> None:
        """A new mapping each time, so that a reader in another thread goes on with the one that it has."""
        small = {oid: content for oid, content in fresh.items() if len(content) < _LARGE and _ID.fullmatch(oid)}
        if not small:
            return
        both = {**self._blobs, **small}
        self._blobs = both if sum(map(len, both.values())) <= _ROOM else {}
