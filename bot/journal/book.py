"""One open journal file: statements, one at a time whatever the thread, and writes that hold the fence."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Protocol

from bot.errors import JournalError
from bot.journal.schema import connect, told

Cell = str | int | float | None


class Wall(Protocol):
    """What the journal asks of a clock."""

    def now(self) -> datetime:
        """Aware UTC."""


class Book:
    """The connection of this process, and the fences it holds. Every method raises JournalError on a sick file."""

    def __init__(self, path: Path, clock: Wall) -> None:
        self.path = path
        self._clock = clock
        self._connection = connect(path)
        self._lock = threading.RLock()
        self._fences: dict[str, int] = {}

    def shut(self) -> None:
        """Give the file back."""
        self._connection.close()

    def _now(self) -> str:
        return self._clock.now().isoformat(timespec="milliseconds")

    def _read(self, sql: str, values: Mapping[str, Cell] | tuple[Cell, ...] = ()) -> list[sqlite3.Row]:
        with self._lock, told(self.path):
            return self._connection.execute(sql, values).fetchall()

    def _write(self, sql: str, values: Mapping[str, Cell]) -> sqlite3.Cursor:
        with self._lock, told(self.path):
            return self._connection.execute(sql, values)

    def _fenced(self, cycle: str, sql: str, values: Mapping[str, Cell]) -> sqlite3.Cursor:
        """`sql` must touch no row unless the run row of `:cycle` has `:fence`."""
        done = self._write(sql, {**values, "cycle": cycle, "fence": self._fences.get(cycle, 0)})
        if done.rowcount != 1:
            raise JournalError(
                f"{self.path}: the run {cycle} is closed or was taken over by another process; nothing written"
            )
        return done

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Inside, nobody else writes; an exception leaves the file as it was."""
        with self._lock:
            self._write("BEGIN IMMEDIATE", {})
            try:
                yield
                self._write("COMMIT", {})
            except BaseException:
                if self._connection.in_transaction:
                    self._write("ROLLBACK", {})
                raise
