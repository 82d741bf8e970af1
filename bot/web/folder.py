"""Puts a set of files into a folder that others may use too: all of them or none, and nothing but ours is touched."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from bot.errors import ConfigError

LIST = ".plusone-files.json"
_DRAFT = ".plusone-draft-"
_OURS = re.compile(
    r"(index|ledger|doctor)\.html|style\.css|icon\.svg|cycles/[A-Za-z0-9-]{1,64}(\.html|/[0-9]-(before|after)\.png)"
)


def fill(folder: Path, files: Mapping[str, bytes], site: str) -> None:
    """Make these the folder's files of the site: what it put there before and is not among them goes.

    Every file is written beside its place before the first is moved there. Raises ConfigError where that cannot be,
    and where a file or a link stands in the way that is not the site's; nothing has changed then.
    """
    assert all(map(_OURS.fullmatch, files)), "what is not named so here would never be removed"
    try:
        _make(folder)
        ours = _ours(folder, site)
        if link := next((one for one in _between(folder, {*ours, *files}) if one.is_symlink()), None):
            raise ConfigError(f"{link} is a link, and what lies behind it is not touched: name another folder")
        if strange := [name for name in files if name not in ours and os.path.lexists(folder / name)]:
            raise ConfigError(f"{folder / strange[0]} is not {site}'s page of before: name another folder for the page")
        _swap(folder, files, ours, lambda names: _draft(folder, _listed(site, names)).replace(folder / LIST))
    except OSError as error:
        raise ConfigError(f"{folder}: the pages cannot be written there: {error.strerror}; name another") from error


def _ours(folder: Path, site: str) -> frozenset[str]:
    """What the site wrote, by its own list; one that cannot be read is none, names that we never use do not count."""
    try:
        found = json.loads((folder / LIST).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return frozenset()
    if not isinstance(found, dict) or found.get("site") != site or not isinstance(listed := found.get("files"), list):
        return frozenset()
    return frozenset(one for one in listed if isinstance(one, str) and _OURS.fullmatch(one))


def _between(folder: Path, names: Iterable[str]) -> set[Path]:
    """The folders between the folder and those files."""
    return {folder / parent for name in names for parent in Path(name).parents if parent.name}


def _make(folder: Path) -> None:
    """Open to readers, whatever our umask: a web server is somebody else."""
    if not folder.is_dir():
        folder.mkdir(parents=True)
        folder.chmod(0o755)


def _swap(
    folder: Path, files: Mapping[str, bytes], ours: frozenset[str], note: Callable[[Iterable[str]], object]
) -> None:
    """`note` writes the list: of old and new names before the first file is moved, of the new ones at the end."""
    _clear(folder)
    fresh = {name: content for name, content in files.items() if _content(folder / name) != content}
    drafts: dict[str, Path] = {}
    for parent in sorted(_between(folder, files)):
        _make(parent)
    try:
        for name, content in fresh.items():
            drafts[name] = _draft(folder, content)
        note(ours | files.keys())
        for name, draft in drafts.items():
            draft.replace(folder / name)
    finally:
        _clear(folder)
    _drop(folder, ours - files.keys())
    note(files.keys())


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _draft(folder: Path, content: bytes) -> Path:
    handle, draft = tempfile.mkstemp(dir=folder, prefix=_DRAFT)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        os.fchmod(file.fileno(), 0o644)
    return Path(draft)


def _listed(site: str, names: Iterable[str]) -> bytes:
    return json.dumps({"site": site, "files": sorted(names)}).encode()


def _drop(folder: Path, names: frozenset[str]) -> None:
    for name in names:
        (folder / name).unlink(missing_ok=True)
    for parent in sorted(_between(folder, names), reverse=True):
        with suppress(OSError):  # others' files, or what we still show, are in it
            parent.rmdir()


def _clear(folder: Path) -> None:
    """Drafts of a write that was cut short."""
    for draft in folder.glob(f"{_DRAFT}*"):
        draft.unlink(missing_ok=True)
