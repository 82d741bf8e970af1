"""The secrets of this machine, by value, so that the guards know them wherever they turn up. None is ever printed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from guards.secrets import SHORTEST, held

LARGEST = 256_000
MOST = 500


def credentials(keys: Iterable[Path | None], provided: Iterable[Path]) -> tuple[str, ...]:
    """The lines of the key files, and what looks like a secret in the text files that only check copies are given.

    A file that is missing or cannot be read gives nothing: whoever needs it says so. Of a folder, the first 500 files
    of up to 256 kB count.
    """
    found = [line for key in keys if key for line in _lines(key)]
    for place in provided:
        for file in sorted(_files(place))[:MOST]:
            found += held(_text(file))
    return tuple(dict.fromkeys(found))


def _lines(key: Path) -> Iterator[str]:
    """Each line of a key by itself, for an armoured key may be copied line by line; its armour is no secret."""
    for line in _text(key).splitlines():
        if len(line.strip()) >= SHORTEST and not line.startswith("-----"):
            yield line.strip()


def _files(place: Path) -> Iterator[Path]:
    inside = place.rglob("*") if place.is_dir() else (place,)
    yield from (file for file in inside if file.is_file() and not file.is_symlink())


def _text(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            content = stream.read(LARGEST + 1)
        return content.decode("utf-8") if len(content) <= LARGEST and b"\0" not in content else ""
    except (OSError, UnicodeDecodeError):
        return ""
