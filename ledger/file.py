"""Owns the ledger's file: written whole for every change, so that its bytes follow from what it holds alone."""

from __future__ import annotations

import fcntl
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.errors import LedgerError
from ledger.contents import Added, Contents, Rejected

FORMAT = 2
_TABLES = f"""
PRAGMA page_size = 4096;
PRAGMA journal_mode = OFF;
BEGIN;
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE added (key TEXT PRIMARY KEY, oid TEXT NOT NULL, day TEXT NOT NULL, cycle TEXT NOT NULL) STRICT;
CREATE TABLE rejected (
    cycle TEXT PRIMARY KEY, keys TEXT NOT NULL, reason TEXT NOT NULL, day TEXT NOT NULL, fades INTEGER NOT NULL,
    patches TEXT NOT NULL
) STRICT;
PRAGMA user_version = {FORMAT};
"""


def read(path: Path) -> Contents:
    """What the file holds; nothing where there is none yet. Raises LedgerError where it is damaged."""
    if not path.exists():
        return Contents()
    if not path.is_file():  # opening a pipe would wait for ever
        raise LedgerError(f"the ledger {path} cannot be opened: it is no file; move it away")
    with _told(path), closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=30)) as db:
        _check(db, path)
        facts = dict(db.execute("SELECT name, value FROM fact"))
        added = tuple(Added(*row) for row in db.execute("SELECT key, oid, day, cycle FROM added ORDER BY rowid"))
        rows = db.execute("SELECT keys, reason, cycle, day, fades, patches FROM rejected ORDER BY cycle")
        rejected = tuple(_rejected(*row) for row in rows)
        removed = tuple(json.loads(facts.get("removed", "[]")))
    return Contents(facts.get("tip", ""), added, rejected, removed)


def change(path: Path, edit: Callable[[Contents], Contents]) -> None:
    """Replace the file by what `edit` makes of it; others who change it wait. Raises LedgerError.

    Where `edit` changes nothing the file stays, and so does a file that breaks `edit`.
    """
    with _alone(path):
        old = read(path)
        new = edit(old)
        if new != old or not path.exists():
            _swap(path, new)


def write(path: Path, contents: Contents) -> None:
    """Replace the file, whatever it held. Raises LedgerError."""
    with _alone(path):
        _swap(path, contents)


def _swap(path: Path, contents: Contents) -> None:
    """Made beside and moved in whole, so that an empty file is damage and never a ledger that knows nothing."""
    with _told(path), TemporaryDirectory(dir=path.parent, prefix=".ledger-") as folder:
        draft = Path(folder) / "new.db"
        with closing(sqlite3.connect(draft, isolation_level=None)) as db:
            db.executescript(_TABLES)
            db.execute("INSERT INTO fact VALUES ('tip', ?)", (contents.tip,))
            if contents.removed:
                db.execute("INSERT INTO fact VALUES ('removed', ?)", (json.dumps(contents.removed),))
            db.executemany(
                "INSERT INTO added VALUES (?, ?, ?, ?)",
                ((one.key, one.commit, one.when, one.cycle) for one in contents.added),
            )
            db.executemany("INSERT INTO rejected VALUES (?, ?, ?, ?, ?, ?)", map(_row, contents.rejected))
            db.execute("COMMIT")
        _flush(draft)
        draft.replace(path)
        _flush(path.parent)


def _flush(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One writer at a time, by a lock on the file's folder that the kernel frees when its holder dies."""
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Inside, what SQLite and the disk complain of becomes one line with the file and what to do next."""
    try:
        yield
    except (sqlite3.OperationalError, OSError) as error:
        if getattr(error, "sqlite_errorname", "") == "SQLITE_FULL":
            told = f"the ledger {path} cannot grow: the disk is full; free some space, nothing recorded is lost"
            raise LedgerError(told) from error
        raise LedgerError(f"the ledger {path} cannot be opened or written: {error}; see to that") from error
    except (sqlite3.DatabaseError, ValueError, TypeError) as error:
        raise _damaged(path, str(error)) from error


def _check(db: sqlite3.Connection, path: Path) -> None:
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version != FORMAT:
        raise _damaged(path, f"its format is {version}, not {FORMAT}")
    if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _damaged(path, "its pages do not fit together")


def _damaged(path: Path, what: str) -> LedgerError:
    return LedgerError(f"the ledger {path} is damaged: {what}; mend it with: plusone ledger rebuild")


def _rejected(keys: str, reason: str, cycle: str, day: str, fades: int, patches: str) -> Rejected:
    return Rejected(tuple(json.loads(keys)), reason, cycle, day, bool(fades), tuple(json.loads(patches)))


def _row(one: Rejected) -> tuple[object, ...]:
    return (one.cycle, json.dumps(one.keys), one.reason, one.when, int(one.fades), json.dumps(one.patches))
