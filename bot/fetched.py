"""What a fetch brought: the tip, its tree and its date, noted in the store, so that the same tip is looked at once."""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from bot.git import Git

_NOTE = "plusone-tip"
_LINE = re.compile(r"([0-9a-f]{40}) ([0-9a-f]{40}) (-?[0-9]+)\n")
_SPAN = (-62_135_596_800, 253_402_300_799)  # the years 1 to 9999: git takes any number for a date


@dataclass(frozen=True, slots=True)
class Fetched:
    """A commit that is in the store whole. `when` is its committer's date, UTC."""

    oid: str
    tree: str
    when: datetime


def fetched(git: Git, folder: Path) -> Fetched | None:
    """What the last fetch into the store in `folder` brought; None where git took nothing."""
    oid = _text(folder / "FETCH_HEAD")[:40]
    if not oid:
        return None
    noted = _LINE.fullmatch(_text(folder / _NOTE))
    if noted and noted[1] == oid:
        return _read(noted)
    status, printed, _ = git.ask("log", "-1", "--format=%H %T %ct", oid, "--")
    found = None if status else _LINE.fullmatch(printed.decode("ascii", "replace"))
    if found is None:
        return None
    _write(folder, found[0])
    return _read(found)


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
    draft = folder / f"{_NOTE}.lock"
    with suppress(OSError):
        draft.write_text(line, "ascii")
        draft.replace(folder / _NOTE)
