"""Owns exports: fresh folders that hold a tree for checks, under base's rules and with catalogues compiled."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from bot.errors import ConfigError, SiteBroken
from bot.machine.removal import remove
from bot.model import TreeEntry
from bot.names import shown
from bot.store.repository import Store
from bot.workspace.plain import LINK, MODULE, Folder, write_tree_to
from bot.workspace.policy import TESTS, matches

RULES = (
    "pyproject.toml",
    "setup.cfg",
    "tox.ini",
    "ruff.toml",
    ".ruff.toml",
    "babel.cfg",
    "babel.ini",
    "babel.toml",
    "pytest.ini",
    ".pytest.ini",
    ".flake8",
)

_KEPT = 1000  # compiled catalogues


class FolderExports:
    """Implements `bot.ports.Exports`: each export is a new 0700 folder below `scratch`.

    `compiler` turns a catalogue (`.po`) into its `.mo`, or into None where it cannot. `provide` pairs a path of the
    export with a host path whose content is put there.
    """

    def __init__(
        self,
        objects: Store,
        scratch: Path,
        *,
        owner: tuple[int, int] | None = None,
        compiler: Callable[[bytes], bytes | None] | None = None,
        provide: tuple[tuple[str, Path], ...] = (),
    ) -> None:
        self._store = objects
        self._scratch = scratch
        self._owner = owner
        self._compiler = compiler
        self._compiled: dict[str, bytes | None] = {}  # by object: a cycle exports the same catalogues many times
        self._provide = provide

    @contextmanager
    def export(
        self, tree: str, *, rules_of: str | None = None, also: Collection[str] = (), tests_of: str | None = None
    ) -> Iterator[Path]:
        """A new folder with the tree, removed after the block. `rules_of` names the tree whose tool settings rule.

        `also` are settings with names of their own. `tests_of` names the tree whose tests take the place of the tree's
        own. Raises ConfigError where a provided path cannot be copied, SiteBroken where the tree itself stands in its
        way or in that of a compiled catalogue.
        """
        entries = self._store.entries(tree)
        if rules_of is not None:
            entries = overlaid(entries, self._store.entries(rules_of), lambda path: _is_rules(path) or path in also)
        if tests_of is not None:
            entries = overlaid(entries, self._store.entries(tests_of), _is_test)
        self._scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
        root = Path(tempfile.mkdtemp(dir=self._scratch, prefix="export-"))
        try:
            folder = Folder(root, self._owner)
            write_tree_to(folder, self._store, entries)
            self._compile(folder, entries)
            for target, source in self._provide:
                with _unhindered(target, "site.provide puts other things"):
                    _copy(folder, target, source)
            yield root
        finally:
            remove(root)

    def _compile(self, folder: Folder, entries: Mapping[str, TreeEntry]) -> None:
        if self._compiler is None:
            return
        sources = {p: e.oid for p, e in entries.items() if p.endswith(".po") and e.mode not in (LINK, MODULE)}
        contents = self._store.blobs(sources.values())
        for path, oid in sources.items():
            if oid not in self._compiled:
                if len(self._compiled) >= _KEPT:
                    self._compiled.clear()
                self._compiled[oid] = self._compiler(contents[oid])
            compiled = self._compiled[oid]
            if compiled is not None:
                place = path.removesuffix(".po") + ".mo"
                with _unhindered(place, f"{shown(path)} is compiled to"):
                    folder.replace(place, compiled)


def overlaid(
    entries: Mapping[str, TreeEntry], rules: Mapping[str, TreeEntry], is_one: Callable[[str], bool] | None = None
) -> Mapping[str, TreeEntry]:
    """The entries with every tool's settings, at any depth, exchanged for those of `rules`; new settings are left out.

    `is_one` tells other paths that are to be exchanged. Those below what is now a file stay away, with their folder.
    """
    concerned = is_one or _is_rules
    kept = {path: entry for path, entry in entries.items() if not concerned(path)}
    brought = {path: entry for path, entry in rules.items() if concerned(path)}
    return kept | {path: entry for path, entry in brought.items() if not _below_a_file(path, kept)}


def _is_rules(path: str) -> bool:
    return any(name in RULES for name in path.split("/"))


def _is_test(path: str) -> bool:
    return matches(path, (*TESTS, "**/conftest.py"))


def _below_a_file(path: str, entries: Mapping[str, TreeEntry]) -> bool:
    return any(str(parent) in entries for parent in PurePosixPath(path).parents)


@contextmanager
def _unhindered(path: str, wanted: str) -> Iterator[None]:
    """Raises SiteBroken where a file of the tree stands for a folder that is needed, or a folder for a file."""
    try:
        yield
    except (FileExistsError, IsADirectoryError, NotADirectoryError) as error:
        place = shown(path)
        raise SiteBroken(
            f"{place}: the tree has a file for a folder, or a folder for a file, where {wanted}", place
        ) from error


def _copy(folder: Folder, target: str, source: Path) -> None:
    """Copy the operator's file or folder in: folders, also empty ones, regular files and links to such.

    What the tree holds itself is kept.
    """
    if not source.exists():
        raise ConfigError(f"site.provide {target}: {source} is missing; make it, or take it out of the list")
    if source.is_file():
        _copy_file(folder, target.rstrip("/"), source)
        return
    folder.folder(target)
    for top, _, names in os.walk(source):
        inside = str(PurePosixPath(target, Path(top).relative_to(source)))
        if not (folder.root / inside).exists():
            folder.folder(inside)
        for name in names:
            _copy_file(folder, f"{inside}/{name}", Path(top, name))


def _copy_file(folder: Folder, target: str, source: Path) -> None:
    if (folder.root / target).exists() or not source.is_file():
        return
    try:
        folder.file(target, source.read_bytes(), executable=bool(source.stat().st_mode & stat.S_IXUSR))
    except FileNotFoundError:
        return  # a live folder's own short-lived file, a journal of SQLite's
    except PermissionError as error:
        raise ConfigError(f"site.provide {target}: {source} cannot be read: let the bot's user") from error
