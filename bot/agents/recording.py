"""The recording of a cycle: one JSON line for its header, one for each model exchange, one for its end."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, field
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from bot.agents.visits import Visit
from bot.errors import ConfigError, ScriptError
from bot.frozen import frozen

VERSION = 1


@frozen
class Exchange:
    """One request to the model and what came back. Numbered from 1 within its visit; failed attempts count too.

    `status` is None where no answer came at all; `error` says why the body is not whole.
    """

    node: str
    visit: int
    seq: int
    at: str
    request: dict[str, object]
    status: int | None
    headers: dict[str, str]
    body: str
    error: str | None = None
    # a field that nobody knows is a damaged one, and what it said must not be taken for unsaid
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@frozen
class Recorded:
    """A recording as it was read. `torn` says that its last line was cut by a crash, and left out.

    `end` is how its cycle ended (the object of `run --json`); empty where it has not.
    """

    header: dict[str, object]
    exchanges: tuple[Exchange, ...] = ()
    torn: bool = False
    end: dict[str, object] = field(default_factory=dict)
    _places: dict[tuple[str, int, int], Exchange] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._places.update({(one.node, one.visit, one.seq): one for one in self.exchanges})

    def find(self, visit: Visit, seq: int) -> Exchange | None:
        """The exchange at that place, if it was recorded."""
        return self._places.get((visit.node, visit.number, seq))


class Recording:
    """The file while a cycle writes it; every line is on the disk before the call returns. A line that was cut short,
    by death or a full disk, is cut off before anything is added.

    `redact` takes out of a line what may stand in no record: a service may repeat the key that it refuses.
    """

    def __init__(self, path: Path, redact: Callable[[object], object] = lambda line: line) -> None:
        self.path = path
        self._redact = redact

    def begin(self, header: Mapping[str, object]) -> None:
        """Start the file with its header. Raises ConfigError when the file is there already."""
        try:
            with self.path.open("x", encoding="ascii"):
                self.path.chmod(0o600)
        except OSError as error:
            raise ConfigError(f"cannot begin the recording {self.path}: {error.strerror}") from error
        self._append({"plusone": VERSION, **header})

    def resume(self) -> Recorded:
        """What a cycle that died has recorded; a torn last line is cut off, so that the file can be continued."""
        recorded = load(self.path)
        if recorded.torn:
            _cut(self.path)
        return recorded

    def write(self, exchange: Exchange) -> None:
        """Append one exchange."""
        self._append(asdict(exchange))

    def finish(self, end: Mapping[str, object]) -> None:
        """The last line: how the cycle ended."""
        self._append({"end": end})

    def _append(self, line: Mapping[str, object]) -> None:
        try:
            _cut(self.path)
            with self.path.open("a", encoding="ascii") as file:
                file.write(json.dumps(self._redact(line)) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise ConfigError(f"cannot write the recording {self.path}: {error.strerror}") from error


def _cut(path: Path) -> None:
    """Cut off what follows the last whole line."""
    with path.open("rb+") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        if file.read() not in (b"", b"\n"):
            file.truncate(path.read_bytes().rfind(b"\n") + 1)


def load(path: Path) -> Recorded:
    """Read a recording. Raises ScriptError naming file and line; only the last line may be torn."""
    if path.exists() and not path.is_file():  # a pipe would be waited for, a device read for ever
        raise ScriptError(f"{path}: cannot be read: it is not a file; name another one")
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise ScriptError(f"{path}: cannot be read: {error.strerror}") from error
    torn = lines.pop() != b""
    if not lines:
        raise ScriptError(f"{path}:1: this is no recording: it has no header line")
    header, end = _header(path, lines[0]), _end(lines[-1])
    middle = lines[1:-1] if end else lines[1:]
    exchanges = tuple(_exchange(path, number, line) for number, line in enumerate(middle, start=2))
    recorded = Recorded(header, exchanges, torn, end)
    if len(recorded._places) != len(exchanges):
        raise ScriptError(f"{path}: an exchange is recorded twice; the file was put together from two")
    return recorded


def _header(path: Path, line: bytes) -> dict[str, object]:
    try:
        header = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ScriptError(f"{path}:1: the header is not JSON: {error}") from error
    if not isinstance(header, dict) or header.get("plusone") != VERSION:
        raise ScriptError(f'{path}:1: this is no recording of ours: its header must hold "plusone": {VERSION}')
    return header


def _end(line: bytes) -> dict[str, object]:
    """What the last line says of the end; empty where it is another line, which its own reader then judges."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    end = found.get("end") if isinstance(found, dict) and found.keys() == {"end"} else None
    return end if isinstance(end, dict) else {}


def _exchange(path: Path, number: int, line: bytes) -> Exchange:
    try:
        return _EXCHANGE.validate_json(line, strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ScriptError(f"{path}:{number}: {where + ': ' if where else ''}{first['msg']}") from error


_EXCHANGE: TypeAdapter[Exchange] = TypeAdapter(Exchange)
