"""The rows of model calls: reserved before they are made, settled after, and summed by cycle and by UTC day."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import UTC

from bot.journal.book import Book
from bot.journal.rows import Call, Reserve
from bot.model import Spent, Tokens

_RESERVE = """
INSERT INTO call (cycle, node, visit, seq, at, day, model, state, reserved_tokens, reserved_usd,
                  input, output, cache_read, cache_write, usd)
SELECT :cycle, :node, :visit,
       1 + (SELECT count(*) FROM call WHERE cycle = :cycle AND node = :node AND visit = :visit),
       :at, :day, :model, 'open', :total, :usd, :input, :output, :cache_read, :cache_write, :usd
FROM run WHERE cycle = :cycle AND fence = :fence AND ended IS NULL"""
_SETTLE = """
UPDATE call SET state = :state, input = :input, output = :output, cache_read = :cache_read,
                cache_write = :cache_write, usd = :usd WHERE id = :id AND state = 'open'"""
_SPENT = """
SELECT count(*) AS calls, coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output,
       coalesce(sum(cache_read), 0) AS cache_read, coalesce(sum(cache_write), 0) AS cache_write,
       CASE WHEN count(*) = count(usd) THEN coalesce(sum(usd), 0.0) END AS usd FROM call WHERE """

Within = Callable[[Spent, Spent], None]


class Calls(Book):
    """The part of the journal that the budget is counted by; all processes that share the file share the count."""

    def reserve(self, call: Reserve, within: Within) -> int:
        """Write an open call at its worst cost and return its id.

        `within(cycle, day)` is shown first what was spent, reserves included; where it raises, nothing is written.
        """
        day = self.today()
        values = {
            "node": call.node, "visit": call.visit, "at": self._now(), "day": day, "model": call.model,
            "usd": call.usd, "total": call.worst.total, **_columns(call.worst),
        }  # fmt: skip
        with self._transaction():
            within(self.spent(call.cycle), self.spent_on(day))
            row = self._fenced(call.cycle, _RESERVE, values).lastrowid
        return row or 0

    def settle(self, call: int, used: Tokens | None, usd: float | None, state: str) -> None:
        """Replace the reserve by the usage; without a usage the reserve stays spent. A settled call stays as it is."""
        if used is None:
            self._write(
                "UPDATE call SET state = :state WHERE id = :id AND state = 'open'", {"id": call, "state": state}
            )
        else:
            self._write(_SETTLE, {"id": call, "state": state, "usd": usd, **_columns(used)})

    def calls(self, cycle: str) -> tuple[Call, ...]:
        """Every call of a run, in the order they were reserved."""
        return tuple(_call(row) for row in self._read("SELECT * FROM call WHERE cycle = ? ORDER BY id", (cycle,)))

    def spent(self, cycle: str) -> Spent:
        """What a run spent, open calls at their reserve."""
        return _spent(self._read(_SPENT + "cycle = ?", (cycle,))[0])

    def spent_on(self, day: str) -> Spent:
        """What all runs spent on a UTC day (`2026-11-30`), open calls at their reserve."""
        return _spent(self._read(_SPENT + "day = ?", (day,))[0])

    def today(self) -> str:
        """The UTC day."""
        return self._clock.now().astimezone(UTC).date().isoformat()


def _columns(tokens: Tokens) -> dict[str, int]:
    return {
        "input": tokens.input,
        "output": tokens.output,
        "cache_read": tokens.cache_read,
        "cache_write": tokens.cache_write,
    }


def _tokens(row: sqlite3.Row) -> Tokens:
    return Tokens(row["input"], row["output"], row["cache_read"], row["cache_write"])


def _spent(row: sqlite3.Row) -> Spent:
    return Spent(row["calls"], _tokens(row), row["usd"])


def _call(row: sqlite3.Row) -> Call:
    return Call(
        row["id"], row["node"], row["visit"], row["seq"], row["at"], row["model"], row["state"],
        row["reserved_tokens"], row["reserved_usd"], _tokens(row), row["usd"],
    )  # fmt: skip
