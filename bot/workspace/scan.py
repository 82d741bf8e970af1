"""Owns the walk over a workspace that untrusted code wrote to: what is there, and what may not be; git is not asked."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path

from bot.errors import SnapshotFailed
from bot.frozen import frozen
from bot.model import Objection, TreeEntry
from bot.names import MAX_DEPTH, collisions, is_git, problems, shown
from bot.store.trees import blob_id
from bot.workspace.handles import OPEN, hashed, is_empty, opened
from bot.workspace.refusal import refusal

_PLACEHOLDERS = ("120000", "160000")


@frozen
class ScanLimits:
    """The bytes that a new or changed file may have, and how many files may be new or changed before the walk ends."""

    file_bytes: int = 200_000
    files: int = 2_000


@frozen
class Found:
    """A file of the workspace as a tree would hold it; the object's id is computed here, not by git."""

    mode: str
    oid: str
    size: int


@frozen
class Scan:
    """What a walk found: every file that a tree may hold, and for every other path why it may not."""

    root: Path
    files: Mapping[str, Found]
    refused: Mapping[str, tuple[Objection, ...]]

    @property
    def refusals(self) -> tuple[Objection, ...]:
        """Every refusal, in the order of paths."""
        return tuple(one for path in sorted(self.refused) for one in self.refused[path])

    def content(self, path: str) -> bytes:
        """Read a found file again. Raises SnapshotFailed when it is not what the walk saw."""
        *above, name = path.split("/")
        try:
            with opened(self.root, above) as folder, os.fdopen(os.open(name, OPEN, dir_fd=folder), "rb") as file:
                content = file.read(self.files[path].size + 1)
        except OSError as error:
            raise SnapshotFailed(f"{shown(path)} cannot be read again ({error.strerror}): nothing is kept") from error
        if blob_id(content) != self.files[path].oid:
            raise SnapshotFailed(f"{shown(path)} changed while it was read: something still writes to the workspace")
        return content


def walk(root: Path, base: Mapping[str, TreeEntry], limits: ScanLimits) -> Scan:
    """Walk the folder by handles that follow no link. Only what differs from `base` can be refused.

    What base holds as a symlink or a submodule is carried, and so is compiled Python, which is never new.
    """
    walker = _Walker(base, limits)
    with opened(root, []) as handle:
        walker.folder(handle, "", 0)
    walker.close()
    return Scan(root, walker.files, {path: tuple(found) for path, found in walker.refused.items()})


def is_stray(path: str) -> bool:
    """Whether the path is what Python leaves behind when the site is run."""
    return path.endswith((".pyc", ".pyo")) or "__pycache__" in path.split("/")


class _Walker:
    """The walk's state: what was found and refused so far."""

    def __init__(self, base: Mapping[str, TreeEntry], limits: ScanLimits) -> None:
        self._base = base
        self._limits = limits
        carried = {path: entry for path, entry in base.items() if entry.mode in _PLACEHOLDERS or is_stray(path)}
        self.files = {path: Found(entry.mode, entry.oid, entry.size or 0) for path, entry in carried.items()}
        self.refused: dict[str, list[Objection]] = {}
        self._awaited = {path for path in carried if not is_stray(path)}
        self._new: set[str] = set()

    def folder(self, handle: int, prefix: str, depth: int) -> None:
        """Walk one open folder, whose names begin with `prefix`."""
        for name in _names(handle):
            if len(self._new) > self._limits.files:
                return
            if not is_stray(prefix + name):
                self._visit(handle, name, prefix + name, depth)

    def close(self) -> None:
        """Judge what only the whole walk can tell."""
        for path in self._awaited:
            self._refuse(path, "placeholder-changed")
        if len(self._new) > self._limits.files:
            self._refuse(".", "too-many-files", f"more than {self._limits.files}")
        for path, other in collisions(self.files, self._new):
            self._refuse(path, "case-collision", shown(other))

    def _visit(self, handle: int, name: str, path: str, depth: int) -> None:
        try:
            self._entry(handle, name, path, depth)
        except OSError as error:
            self._new.add(path)
            self._refuse(path, "unreadable", error.strerror or "")

    def _entry(self, handle: int, name: str, path: str, depth: int) -> None:
        facts = os.stat(name, dir_fd=handle, follow_symlinks=False)
        known = self._base.get(path)
        if is_git(name):
            if path != ".git" or not is_empty(handle, name, facts):
                self._refuse(path, "nested-git")
        elif known is not None and known.mode in _PLACEHOLDERS:
            self._placeholder(handle, name, path, facts)
        elif stat.S_ISDIR(facts.st_mode):
            self._inner(handle, name, path, depth)
        elif stat.S_ISREG(facts.st_mode):
            self._file(handle, name, path, facts)
        else:
            self._new.add(path)
            self._refuse(path, _KINDS.get(stat.S_IFMT(facts.st_mode), "device"))

    def _inner(self, handle: int, name: str, path: str, depth: int) -> None:
        if depth + 1 >= MAX_DEPTH:
            self._refuse(path, "name-too-deep")
            return
        inner = os.open(name, OPEN | os.O_DIRECTORY, dir_fd=handle)
        try:
            self.folder(inner, path + "/", depth + 1)
        finally:
            os.close(inner)

    def _placeholder(self, handle: int, name: str, path: str, facts: os.stat_result) -> None:
        wanted = stat.S_IFREG if self._base[path].mode == "120000" else stat.S_IFDIR
        if stat.S_IFMT(facts.st_mode) == wanted and is_empty(handle, name, facts):
            self._awaited.discard(path)

    def _file(self, handle: int, name: str, path: str, facts: os.stat_result) -> None:
        known = self._base.get(path)
        large = facts.st_size > self._limits.file_bytes
        if large and (known is None or known.size != facts.st_size):
            self._oversize(path, facts)
            return
        oid = hashed(handle, name, facts)
        found = Found(_mode(facts, known), oid, facts.st_size)
        if known is not None and large and known.oid != oid:
            self._oversize(path, facts)
        elif known is None or (known.mode, known.oid) != (found.mode, found.oid):
            self._differs(path, found, facts)
        else:
            self.files[path] = found
        if facts.st_mode & 0o7000:
            self._refuse(path, "special-bits", oct(stat.S_IMODE(facts.st_mode)))

    def _oversize(self, path: str, facts: os.stat_result) -> None:
        self._new.add(path)
        self._refuse(path, "oversize", f"{facts.st_size} bytes", f"at most {self._limits.file_bytes} bytes")

    def _differs(self, path: str, found: Found, facts: os.stat_result) -> None:
        self._new.add(path)
        self.files[path] = found
        if facts.st_nlink > 1:
            self._refuse(path, "hard-link", f"{facts.st_nlink} names")
        for bad in problems(path):
            self._refuse(path, bad.code, bad.text)

    def _refuse(self, path: str, code: str, seen: str = "", accept: str = "") -> None:
        self.refused.setdefault(path, []).append(refusal(path, code, seen, accept))


_KINDS = {stat.S_IFLNK: "symlink", stat.S_IFIFO: "fifo", stat.S_IFSOCK: "socket"}


def _mode(facts: os.stat_result, known: TreeEntry | None) -> str:
    """Git knows but one bit of a mode; an old spelling of the same bit in base is no difference."""
    executable = bool(facts.st_mode & stat.S_IXUSR)
    if known is not None and known.mode.startswith("100") and bool(int(known.mode, 8) & 0o100) == executable:
        return known.mode
    return "100755" if executable else "100644"


def _names(handle: int) -> list[str]:
    with os.scandir(handle) as entries:
        return sorted(entry.name for entry in entries)
