"""What a fetch brought: the tip, its tree, its date and whence; noted in the store, so that it is looked at once."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from bot.frozen import frozen
from bot.store.git import Git

NOTE = "plusone-tip"
_LINE = re.compile(r"([0-9a-f]{40}) ([0-9a-f]{40}) (-?[0-9]+) ([0-9a-f]{64})\n")
_SPAN = (-62_135_596_800, 253_402_300_799)  # the years 1 to 9999: git takes any number for a date


@frozen
class Fetched:
    """A commit that is in the store whole. `when` is its committer's date, UTC."""

    oid: str
    tree: str
    when: datetime


def known(folder: Path, branch: str, url: str) -> Fetched | None:
    """What the last fetch of that branch into the store in `folder` brought, as it was noted; git is not asked."""
    noted = _LINE.fullmatch(_text(folder / NOTE))
    return _read(noted) if noted and noted[4] == _whence(branch, url) else None


def fetched(git: Git, folder: Path, branch: str, url: str) -> Fetched | None:
    """What the fetch of that branch brought that ended just now; None where git took nothing."""
    oid = _text(folder / "FETCH_HEAD")[:40]
    if not oid:
        return None
    before = known(folder, branch, url)
    if before and before.oid == oid:
        return before
    status, printed, _ = git.ask("log", "-1", f"--format=%H %T %ct {_whence(branch, url)}", oid, "--")
    found = None if status else _LINE.fullmatch(printed.decode("ascii", "replace"))
    if found is None:
        return None
    _write(folder, found[0])
    return _read(found)


def _whence(branch: str, url: str) -> str:
    return hashlib.sha256(f"{branch} {url}".encode("utf-8", "surrogateescape")).hexdigest()


def _read(line: re.Match[str]) -> Fetched:
    seconds = min(max(int(line[3]), _SPAN[0]), _SPAN[1])
    return Fetched(line[1], line[2], datetime.fromtimestamp(seconds, UTC))


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _write(folder: Path, line: str) -> None:
    """Beside it first, then swapped in whole. What cannot be noted is asked again: nothing depends on it."""
    draft = folder / f"{NOTE}.lock"
    with suppress(OSError):
        draft.write_text(line, "ascii")
        draft.replace(folder / NOTE)
