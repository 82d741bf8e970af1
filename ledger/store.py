"""The ledger: every key that the history added, and the ideas that were turned down; a file beside the journal."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.errors import LedgerError
from ledger.trailers import parse

FORMAT = 1
_TABLES = """
CREATE TABLE fact (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
CREATE TABLE added (key TEXT PRIMARY KEY, oid TEXT NOT NULL, day TEXT NOT NULL, cycle TEXT NOT NULL) STRICT;
CREATE TABLE rejected (
    number INTEGER PRIMARY KEY, keys TEXT NOT NULL, reason TEXT NOT NULL, cycle TEXT NOT NULL UNIQUE, day TEXT NOT NULL
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Added:
    """A key that the history added; the first commit counts."""

    key: str
    commit: str
    when: str
    cycle: str


@dataclass(frozen=True, slots=True)
class Rejected:
    """An idea that was turned down."""

    keys: tuple[str, ...]
    reason: str
    cycle: str
    when: str


class LedgerStore:
    """One site's ledger. Every method raises LedgerError where the file is damaged; it never reads as empty."""

    def __init__(self, path: Path, configured: tuple[str, ...] = ()) -> None:
        """`configured` are keys that were known before Plusone came."""
        self._path, self._configured = path, configured

    def rebuild(self, log: Iterable[tuple[str, str, str]], tip: str) -> None:
        """Read the history anew, oldest first as (commit, date, message), unless `tip` is what was read last."""
        with self._open() as db:
            if db.execute("SELECT value FROM fact WHERE name = 'tip'").fetchone() == (tip,):
                return
            db.execute("DELETE FROM added")
            db.executemany("INSERT OR IGNORE INTO added VALUES (?, ?, ?, ?)", _rows(log))
            db.execute("INSERT OR REPLACE INTO fact VALUES ('tip', ?)", (tip,))

    def tip(self) -> str:
        """The commit up to which the history was read last; empty where it never was."""
        with self._open() as db:
            row = db.execute("SELECT value FROM fact WHERE name = 'tip'").fetchone()
        return str(row[0]) if row else ""

    def known(self) -> Mapping[str, str]:
        """Every known key with how it is known, for people."""
        found = dict.fromkeys(self._configured, "known before, by [ledger] known")
        return found | {one.key: f"committed in {one.commit[:10]} on {one.when[:10]}" for one in self.list()}

    def list(self) -> tuple[Added, ...]:
        """What the history added, oldest first."""
        with self._open() as db:
            return tuple(Added(*row) for row in db.execute("SELECT key, oid, day, cycle FROM added ORDER BY rowid"))

    def reject(self, keys: tuple[str, ...], reason: str, cycle: str, when: str) -> None:
        """Remember an idea that was turned down; a cycle that is told again, after a crash, counts once."""
        with self._open() as db:
            row = (json.dumps(keys), reason, cycle, when)
            db.execute("INSERT OR REPLACE INTO rejected (keys, reason, cycle, day) VALUES (?, ?, ?, ?)", row)

    def rejected(self, limit: int) -> tuple[Rejected, ...]:
        """The newest rejected ideas, newest first."""
        with self._open() as db:
            rows = db.execute("SELECT keys, reason, cycle, day FROM rejected ORDER BY number DESC LIMIT ?", (limit,))
            return tuple(Rejected(tuple(json.loads(row[0])), *row[1:]) for row in rows)

    def set_aside(self) -> Path:
        """Move the file out of the way, for a rebuild after damage; where it lies now.

        A transaction that a crash cut short goes with it, or SQLite would roll it back into the next file.
        """
        aside = self._path.with_name(self._path.name + ".damaged")
        for part in ("-journal", ""):
            with suppress(FileNotFoundError):
                Path(f"{self._path}{part}").replace(f"{aside}{part}")
        return aside

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """One transaction on a checked file."""
        try:
            if not self._path.exists():
                _create(self._path)
            with closing(sqlite3.connect(self._path, timeout=30, isolation_level=None)) as db:
                db.execute("PRAGMA synchronous = FULL")
                self._check(db)
                db.execute("BEGIN IMMEDIATE")
                yield db
                db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            raise LedgerError(f"the ledger {self._path} cannot be opened or written: {error}; see to that") from error
        except (sqlite3.DatabaseError, json.JSONDecodeError) as error:
            raise self._damaged(str(error)) from error

    def _check(self, db: sqlite3.Connection) -> None:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version != FORMAT:
            raise self._damaged(f"its format is {version}, not {FORMAT}")
        if db.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
            raise self._damaged("its pages do not fit together")

    def _damaged(self, what: str) -> LedgerError:
        return LedgerError(f"the ledger {self._path} is damaged: {what}; mend it with: plusone ledger rebuild")


def _create(path: Path) -> None:
    """Made beside and linked in whole, so that an empty file is damage and never a ledger that knows nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent, prefix=".ledger-") as folder:
        draft = Path(folder) / "new.db"
        with closing(sqlite3.connect(draft)) as db:
            db.executescript(f"{_TABLES} PRAGMA user_version = {FORMAT};")
        with suppress(FileExistsError):
            path.hardlink_to(draft)


def _rows(log: Iterable[tuple[str, str, str]]) -> Iterator[tuple[str, str, str, str]]:
    for oid, when, message in log:
        if "Plusone-" in message:
            found = parse(message)
            yield from ((key, oid, when, found.cycle) for key in found.adds)
