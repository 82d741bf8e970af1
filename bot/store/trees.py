"""Owns how a changed tree is written: through a temporary index, every blob and path checked against git's answer."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Protocol

from bot.errors import SnapshotFailed
from bot.machine.drafts import draft
from bot.model import TreeEntry
from bot.names import shown

Files = Mapping[str, tuple[str, bytes] | None]


class Speaks(Protocol):
    """Git on one repository."""

    def run(self, *arguments: str, stdin: bytes = b"", variables: Mapping[str, str] | None = None) -> bytes:
        """Run one git command to its end and return what it printed; a failure raises CommandFailed."""


def blob_id(content: bytes) -> str:
    """The id under which git keeps the content."""
    digest = hashlib.sha1(b"blob %d\0" % len(content), usedforsecurity=False)
    digest.update(content)
    return digest.hexdigest()


def listed(git: Speaks, tree: str) -> Mapping[str, TreeEntry]:
    """Every path of the tree, recursively, in git's order; names that are not UTF-8 hold surrogate escapes."""
    lines = git.run("ls-tree", "-r", "-z", "-l", "--full-tree", tree).split(b"\0")
    return MappingProxyType(dict(_entry(line) for line in lines if line))


def write_tree(git: Speaks, base_tree: str | None, files: Files) -> str:
    """Write the tree that is `base_tree` with each path set to its mode and content, or deleted where it is None.

    Raises SnapshotFailed when git did not take exactly these paths: it drops bad ones without a word.
    """
    with draft("plusone-tree") as scratch:
        oids = _write_blobs(git, scratch, files)
        index = {"GIT_INDEX_FILE": str(scratch / "index")}
        git.run("read-tree", base_tree if base_tree else "--empty", variables=index)
        git.run("update-index", "-z", "--index-info", stdin=_index_lines(files, oids), variables=index)
        tree = git.run("write-tree", variables=index).decode().strip()
    before = base_tree or git.run("mktree", "-z").decode().strip()
    _must_match(frozenset(changed(git, before, tree)), _expected(git, before, files, oids))
    return tree


def changed(git: Speaks, before: str, after: str) -> tuple[str, ...]:
    """The paths in which two trees differ; a rename is its two paths."""
    flags = ("-r", "-z", "--no-renames", "--name-only", "--no-ext-diff", "--no-textconv")
    listed = git.run("diff-tree", *flags, before, after)
    return tuple(os.fsdecode(name) for name in listed.split(b"\0") if name)


def _write_blobs(git: Speaks, scratch: Path, files: Files) -> Mapping[str, str]:
    wanted = [(path, file[1]) for path, file in files.items() if file is not None]
    if not wanted:
        return {}
    for number, (_, content) in enumerate(wanted):
        (scratch / f"blob{number}").write_bytes(content)
    names = "".join(f"{scratch}/blob{number}\n" for number in range(len(wanted)))
    written = git.run("hash-object", "-w", "--no-filters", "--stdin-paths", stdin=os.fsencode(names)).decode().split()
    oids = {path: blob_id(content) for path, content in wanted}
    if list(oids.values()) != written:
        raise SnapshotFailed("git wrote other blobs than it was given: nothing is committed; run the cycle again")
    return oids


def _index_lines(files: Files, oids: Mapping[str, str]) -> bytes:
    gone = [b"0 %s\t%s\0" % (b"0" * 40, os.fsencode(path)) for path, file in files.items() if file is None]
    kept = [
        b"%s %s\t%s\0" % (file[0].encode(), oids[path].encode(), os.fsencode(path))
        for path, file in files.items()
        if file is not None
    ]
    return b"".join(gone + kept)


def _expected(git: Speaks, before: str, files: Files, oids: Mapping[str, str]) -> frozenset[str]:
    """The paths that must differ: a file set to what base has is no difference."""
    entries = {}
    for line in git.run("ls-tree", "-r", "-z", "--full-tree", before).split(b"\0"):
        if line:
            facts, _, name = line.partition(b"\t")
            mode, _, oid = facts.decode().split(" ")
            entries[os.fsdecode(name)] = (mode, oid)
    wanted = {path: None if file is None else (file[0], oids[path]) for path, file in files.items()}
    return frozenset(path for path, entry in wanted.items() if entries.get(path) != entry)


def _must_match(seen: frozenset[str], wanted: frozenset[str]) -> None:
    if strange := sorted(seen ^ wanted):
        named = ", ".join(shown(path) for path in strange[:5])
        raise SnapshotFailed(f"git and the walk disagree about {len(strange)} paths ({named}): nothing is committed")


def _entry(line: bytes) -> tuple[str, TreeEntry]:
    facts, _, name = line.partition(b"\t")
    mode, _, oid, size = facts.decode().split()
    return os.fsdecode(name), TreeEntry(mode, oid, None if size == "-" else int(size))
