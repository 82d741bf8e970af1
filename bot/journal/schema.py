"""The journal's file: how it is made, opened, and refused when it is not what it should be."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from bot.errors import ConfigError, JournalError

VERSION = "1"
_KEPT = "the file is kept as it is: restore a copy, or move it away to start a new journal"
_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE note (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE run (
  id INTEGER PRIMARY KEY, cycle TEXT NOT NULL UNIQUE, fence INTEGER NOT NULL, graph TEXT NOT NULL,
  program TEXT NOT NULL, config TEXT NOT NULL, given_type TEXT NOT NULL, given TEXT NOT NULL,
  model TEXT NOT NULL, sandbox TEXT NOT NULL,
  dry_run INTEGER NOT NULL, started TEXT NOT NULL, ended TEXT, outcome TEXT, stage TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '', stopped_by TEXT NOT NULL DEFAULT '', exit_code INTEGER, base TEXT, tree TEXT,
  "commit" TEXT, result_type TEXT, result TEXT);
CREATE INDEX run_open ON run (id) WHERE ended IS NULL;
CREATE TABLE step (
  cycle TEXT NOT NULL, seq INTEGER NOT NULL, node TEXT NOT NULL, visit INTEGER NOT NULL, started TEXT NOT NULL,
  ended TEXT, type TEXT, value TEXT, tree TEXT, tokens INTEGER NOT NULL DEFAULT 0, usd REAL DEFAULT 0,
  PRIMARY KEY (cycle, seq)) WITHOUT ROWID;
CREATE TABLE call (
  id INTEGER PRIMARY KEY, cycle TEXT NOT NULL, node TEXT NOT NULL, visit INTEGER NOT NULL, seq INTEGER NOT NULL,
  at TEXT NOT NULL, day TEXT NOT NULL, model TEXT NOT NULL, state TEXT NOT NULL, reserved_tokens INTEGER NOT NULL,
  reserved_usd REAL, input INTEGER NOT NULL, output INTEGER NOT NULL, cache_read INTEGER NOT NULL,
  cache_write INTEGER NOT NULL, usd REAL);
CREATE INDEX call_cycle ON call (cycle, node, visit);
CREATE INDEX call_day ON call (day);
"""


def connect(path: Path) -> sqlite3.Connection:
    """The journal at `path`, made if there is none.

    Raises JournalError where the file is damaged or foreign, ConfigError where the folder cannot be written.
    """
    if not os.path.lexists(path):
        _make(path)
    if not path.is_file():  # opening a pipe would wait for ever
        raise JournalError(f"{path} is no file; {_KEPT}")
    if path.stat().st_size == 0:
        raise JournalError(f"{path} is empty, which no journal ever is; {_KEPT}")
    with told(path):
        connection = _open(path)
    try:
        with told(path):
            _check(connection, path)
    except (JournalError, ConfigError):
        connection.close()
        raise
    return connection


def _open(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=10.0, isolation_level=None, check_same_thread=False)
    connection.row_factory = sqlite3.Row
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    tables = {row["name"] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"meta", "run", "step", "call", "note"} <= tables:
        raise JournalError(f"{path} is a database of another program; {_KEPT}")
    version = connection.execute("SELECT value FROM meta WHERE key = 'schema'").fetchone()
    if version is None or version["value"] != VERSION:
        found = "no version" if version is None else f"version {version['value']}"
        raise JournalError(f"{path} has {found}, this program writes version {VERSION}; {_KEPT}")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")


def _make(path: Path) -> None:
    """Beside it first, then swapped in whole, so that a crash leaves a journal or none."""
    stray = path.with_name(path.name + "-wal")
    if stray.exists():
        raise JournalError(f"{stray} lies there without its journal {path.name}; bring both back, or move it away too")
    draft = path.with_name(f"{path.name}.new-{os.getpid()}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with told(path):
            connection = _open(draft)
            connection.executescript(_SCHEMA)
            connection.execute("INSERT INTO meta VALUES ('schema', ?)", (VERSION,))
            connection.execute("PRAGMA journal_mode = WAL")
            connection.close()
        with suppress(FileExistsError):  # another process was first: its journal is as good
            os.link(draft, path)
    except OSError as error:
        raise ConfigError(f"{path} cannot be made ({error.strerror}); make the state folder writable") from error
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


@contextmanager
def told(path: Path) -> Iterator[None]:
    """Inside, what SQLite complains of becomes one line with the file and what to do next."""
    try:
        yield
    except sqlite3.Error as error:
        raise _translated(path, error) from error


def _translated(path: Path, error: sqlite3.Error) -> JournalError | ConfigError:
    match getattr(error, "sqlite_errorname", "").removeprefix("SQLITE_").split("_")[0]:
        case "FULL":
            return JournalError(f"{path} cannot grow: the disk is full; free some space, nothing recorded is lost")
        case "READONLY" | "CANTOPEN" | "PERM" | "AUTH":
            return ConfigError(f"{path} cannot be written ({error}); make the state folder and its files writable")
        case "BUSY" | "LOCKED":
            return JournalError(f"{path} is held by another program ({error}); end it, then try again")
        case "IOERR":
            return JournalError(f"{path} cannot be read or written ({error}); look at the disk, and at `ulimit -f`")
        case "CORRUPT" | "NOTADB":
            return JournalError(f"{path} is damaged ({error}); {_KEPT}")
        case _:
            return JournalError(f"{path} did not take a statement ({error})")
