"""Owns the question whether the store itself is what broke, and what to do then: a new one, and the old one kept."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile, mkdtemp
from typing import NoReturn

from bot.errors import FULL, ConfigError, PlusoneError, StoreDamaged
from bot.machine.removal import remove
from bot.store.bare import make, was_ours
from bot.store.git import TIMED_OUT, Git, last_words

ASIDE = "store.git.damaged-*"
_SECONDS = 900
_LOOKING = 120  # seconds, for a remote that is away for days must not cost each firing a quarter of an hour
_KEPT = "refs/plusone/"
_LINE = re.compile(r"([0-9a-f]{40}) (refs/plusone/\S+)")
_MACHINE = (*FULL, *(os.strerror(one) for one in (1, 5, 11, 12, 13, 23, 24, 30)), "unable to create thread")


def raise_not_ours(folder: Path) -> NoReturn:
    """Raises ConfigError where the folder is no store of ours, StoreDamaged where it was one."""
    if was_ours(folder):
        raise _damaged(folder, "its config is lost")
    raise ConfigError(f"{folder}: not a store of ours; move it away, or choose another state folder")


def raise_blamed(folder: Path, error: PlusoneError) -> NoReturn:
    """Raise what broke where git failed at work on the store: StoreDamaged or ConfigError where that is to blame, else
    the error itself. Every object is read, so ask only where something broke.
    """
    if (told := _blamed(folder, error)) is not error:
        raise told from error
    raise error


def _blamed(folder: Path, error: PlusoneError) -> PlusoneError:
    if not folder.is_dir():
        return error
    if why := _unwritable(folder):
        return ConfigError(f"{folder} cannot be written ({why}); make the store and all below it writable")
    if why := _ailment(folder):
        return _damaged(folder, why)
    return error


def _damaged(folder: Path, why: str) -> StoreDamaged:
    return StoreDamaged(
        f"{folder} is damaged ({why}); `plusone run` sets it aside and begins a new one, "
        "so fire again, and look at the disk that it lies on"
    )


def renew(folder: Path) -> Path:
    """Set the store aside and put a new one in its place that holds what was kept, as far as it is whole.

    Call it with the lock held. Returns where the old one lies. A crash leaves the old store, the new one, or none.
    """
    draft = Path(mkdtemp(dir=folder.parent, prefix=".store-"))
    try:
        make(draft)
        kept = dict(_kept(folder))
        if not _carried(draft, folder, kept):
            for name, oid in kept.items():
                _carried(draft, folder, {name: oid})
        aside = next(path for path in _names(folder) if not os.path.lexists(path))
        folder.rename(aside)
        os.utime(aside)  # its age counts from now
        draft.rename(folder)
    except BaseException:
        remove(draft)
        raise
    return aside


def _names(folder: Path) -> Iterator[Path]:
    return (folder.with_name(ASIDE.replace("*", str(number))) for number in count(1))


def _unwritable(folder: Path) -> str:
    """Why nothing can be written; a full disk is another matter, and told by what failed for it."""
    for place in (folder, folder / "objects"):
        try:
            if place.is_dir():
                TemporaryFile(dir=place).close()
        except OSError as error:
            return "" if error.strerror in FULL else f"{place}: {error.strerror}"
    return ""


def _ailment(folder: Path) -> str:
    """What git finds wrong; empty where it finds nothing, or could not look for want of room, memory or leave."""
    if (note := folder / "FETCH_HEAD").exists() and not note.is_file():
        return f"{note.name} is no file"
    asked = ("fsck", "--full", "--no-dangling", "--no-progress")
    status, printed, complaint = Git(folder, seconds=_LOOKING).ask(*asked)
    said = complaint + printed.decode("utf-8", "replace")
    if not status or status < 0 or status in TIMED_OUT or any(one in said for one in _MACHINE):
        return ""
    return last_words(said, status, _LOOKING)[:200]


def _kept(folder: Path) -> Iterator[tuple[str, str]]:
    """The refs under which cycles keep things, read without git, for which the store may be none any more."""
    with suppress(OSError):
        for oid, name in _LINE.findall((folder / "packed-refs").read_text("utf-8", "replace")):
            yield name, oid
    for path in (folder / _KEPT).rglob("*"):
        with suppress(OSError):
            yield path.relative_to(folder).as_posix(), path.read_text("utf-8", "replace").strip()


def _carried(draft: Path, old: Path, kept: Mapping[str, str]) -> bool:
    """Whether all of that is in the new store too, with all that hangs on it."""
    if not kept:
        return True
    ours, lent = Git(draft, seconds=_SECONDS), {"GIT_ALTERNATE_OBJECT_DIRECTORIES": str(old / "objects")}
    wanted = "".join(f"{oid}\n" for oid in kept.values()).encode()
    try:
        pack = ours.run("pack-objects", "--revs", "--stdout", "-q", stdin=wanted, variables=lent)
        ours.run("index-pack", "--stdin", "--strict", stdin=pack)
        for name, oid in kept.items():
            ours.run("update-ref", "--no-deref", name, oid)
    except PlusoneError:
        return False
    return True
