"""The rows of runs and steps."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from bot.errors import JournalError
from bot.journal.book import Cell, Wall
from bot.journal.notes import Notes
from bot.journal.rows import Opening, Run, Step
from bot.model import Outcome
from bot.telling.ending import exit_code, word

_OPEN = """
INSERT INTO run (cycle, fence, graph, program, config, given_type, given, model, sandbox, dry_run, started)
SELECT :cycle, 1 + coalesce(max(fence), 0), :graph, :program, :config, :given_type, :given, :model, :sandbox, :dry_run,
       :started FROM run RETURNING fence"""
_TAKE = """
UPDATE run SET fence = 1 + (SELECT max(fence) FROM run) WHERE cycle = :cycle AND ended IS NULL RETURNING fence"""
_CLOSE = """
UPDATE run SET ended = :ended, outcome = :outcome, stage = :stage, reason = :reason, stopped_by = :stopped_by,
               exit_code = :exit_code, base = :base, tree = :tree, "commit" = :commit, result_type = :result_type,
               result = :result
WHERE cycle = :cycle AND fence = :fence AND ended IS NULL"""
_SETTLE = """
UPDATE run SET outcome = :outcome, reason = :reason, stopped_by = '', exit_code = :exit_code, "commit" = :commit,
               tree = coalesce(:tree, tree), result_type = :result_type, result = :result
WHERE cycle = :cycle AND (outcome = 'waiting' OR outcome = 'failed' AND stage = 'commit')"""
_RUNS = """
SELECT *, (SELECT group_concat(node, ' ')
           FROM (SELECT node FROM step WHERE step.cycle = run.cycle ORDER BY seq)) AS path FROM run """
_PAST = """WHERE ended < :before AND outcome <> 'waiting' AND cycle <> :but AND id < (SELECT max(id) FROM run)
  AND id NOT IN (SELECT id FROM run WHERE outcome <> 'skipped' ORDER BY id DESC LIMIT :spared) ORDER BY id"""
_START = """
INSERT INTO step (cycle, seq, node, visit, started)
SELECT :cycle, :seq, :node, 1 + (SELECT count(*) FROM step WHERE cycle = :cycle AND node = :node AND seq < :seq),
       :started FROM run WHERE cycle = :cycle AND fence = :fence AND ended IS NULL
ON CONFLICT (cycle, seq) DO UPDATE SET started = excluded.started WHERE ended IS NULL AND node = excluded.node"""
_END = """
UPDATE step SET ended = :ended, type = :type, value = :value, tree = :tree,
  tokens = (SELECT coalesce(sum(input + output + cache_read + cache_write), 0) FROM call
            WHERE call.cycle = step.cycle AND call.node = step.node AND call.visit = step.visit),
  usd = (SELECT CASE WHEN count(*) = count(usd) THEN coalesce(sum(usd), 0.0) END FROM call
         WHERE call.cycle = step.cycle AND call.node = step.node AND call.visit = step.visit)
WHERE cycle = :cycle AND seq = :seq AND ended IS NULL
  AND EXISTS (SELECT 1 FROM run WHERE cycle = :cycle AND fence = :fence AND ended IS NULL)"""


class Journal(Notes):
    """The journal of one site, one connection a process. `encode(value)` and `decode(type name, text)` are the codec.

    Opening raises JournalError for a damaged or foreign file, ConfigError for a folder that cannot be written.
    """

    def __init__(
        self, path: Path, clock: Wall, encode: Callable[[object], str], decode: Callable[[str, str], object]
    ) -> None:
        super().__init__(path, clock)
        self._encode = encode
        self._decode = decode

    def value(self, kind: str, text: str) -> object:
        """The value that a row holds as text under its type's name."""
        return self._decode(kind, text)

    def open_run(self, opening: Opening) -> int:
        """Write the run row; this process now holds its fence, which is returned."""
        values: dict[str, Cell] = {
            "cycle": opening.cycle, "graph": opening.graph, "program": opening.program, "config": opening.config,
            "given_type": type(opening.given).__name__, "given": self._encode(opening.given), "model": opening.model,
            "sandbox": opening.sandbox, "dry_run": int(opening.dry_run), "started": self._now(),
        }  # fmt: skip
        return self._hold(opening.cycle, _OPEN, values)

    def take_over(self, cycle: str) -> int:
        """Hold an open run that a died process left: its fence grows, so that its old holder can write no more."""
        return self._hold(cycle, _TAKE, {"cycle": cycle})

    def start(self, cycle: str, seq: int, node: str) -> None:
        """Write that a node is in flight; once more for the same row when it runs again after a crash."""
        self._fenced(cycle, _START, {"seq": seq, "node": node, "started": self._now()})

    def end(self, cycle: str, seq: int, value: object) -> None:
        """Write what the node in flight returned, with the tokens and the money of its calls."""
        values = {
            "seq": seq, "ended": self._now(), "type": type(value).__name__, "value": self._encode(value),
            "tree": getattr(value, "tree", None),
        }  # fmt: skip
        self._fenced(cycle, _END, values)

    def close(self, cycle: str, outcome: Outcome, stage: str = "", base: str | None = None) -> None:
        """Write how the run ended; `stage` is for an outcome that has none of its own."""
        values = {
            "ended": self._now(), "outcome": word(outcome), "stage": getattr(outcome, "stage", stage),
            "reason": outcome.reason, "stopped_by": getattr(outcome, "stopped_by", ""),
            "exit_code": exit_code(outcome), "base": base, "tree": getattr(outcome, "tree", None),
            "commit": getattr(outcome, "commit", None), "result_type": type(outcome).__name__,
            "result": self._encode(outcome),
        }  # fmt: skip
        self._fenced(cycle, _CLOSE, values)

    def settle_run(self, cycle: str, outcome: Outcome) -> None:
        """Write what became of a run that waited, or that failed in `commit`; its end and its costs stay as they were.

        Raises JournalError for any other run.
        """
        values = {
            "cycle": cycle, "outcome": word(outcome), "reason": outcome.reason, "exit_code": exit_code(outcome),
            "commit": getattr(outcome, "commit", None), "tree": getattr(outcome, "tree", None),
            "result_type": type(outcome).__name__, "result": self._encode(outcome),
        }  # fmt: skip
        if self._write(_SETTLE, values).rowcount != 1:
            raise JournalError(f"{self.path}: the run {cycle} waits for nobody; nothing written")

    def run(self, cycle: str) -> Run:
        """One run, or JournalError where there is none of that name."""
        rows = self._read(_RUNS + "WHERE cycle = ?", (cycle,))
        if not rows:
            raise JournalError(f"{self.path} knows no cycle {cycle}; `plusone runs` lists those it knows")
        return _run(rows[0])

    def runs(self, limit: int) -> tuple[Run, ...]:
        """The newest runs, newest first."""
        return tuple(_run(row) for row in self._read(_RUNS + "ORDER BY id DESC LIMIT ?", (limit,)))

    def open_runs(self) -> tuple[Run, ...]:
        """Runs without an end, oldest first: what a died process left, if nobody holds the lock."""
        return tuple(_run(row) for row in self._read(_RUNS + "WHERE ended IS NULL ORDER BY id"))

    def waiting_runs(self) -> tuple[Run, ...]:
        """Runs that wait for a person, oldest first."""
        return tuple(_run(row) for row in self._read(_RUNS + "WHERE outcome = 'waiting' ORDER BY id"))

    def past_runs(self, before: datetime, spared: int, but: str) -> tuple[Run, ...]:
        """Closed runs that ended before that moment and that nothing follows from any more, oldest first.

        Left out are runs that wait, the newest run, the newest `spared` that were not skipped, and `but`.
        """
        moment = before.astimezone(UTC).isoformat(timespec="milliseconds")
        values: dict[str, Cell] = {"before": moment, "spared": spared, "but": but}
        return tuple(_run(row) for row in self._read(_RUNS + _PAST, values))

    def failed_in(self, stage: str) -> Run | None:
        """The newest run that failed there and was no dry one."""
        rows = self._read(_RUNS + "WHERE outcome = 'failed' AND stage = ? AND NOT dry_run ORDER BY id DESC", (stage,))
        return _run(rows[0]) if rows else None

    def steps(self, cycle: str) -> tuple[Step, ...]:
        """The steps of a run in order; the last may be in flight."""
        rows = self._read("SELECT * FROM step WHERE cycle = ? ORDER BY seq", (cycle,))
        return tuple(_step(row) for row in rows)

    def failures_in_a_row(self, after: str = "") -> int:
        """How many runs failed since one did not; skipped and open runs do not count, nor `after` and what is older."""
        rows = self._read(
            "SELECT outcome FROM run WHERE outcome IS NOT NULL AND outcome <> 'skipped' "
            "AND id > coalesce((SELECT id FROM run WHERE cycle = ?), 0) ORDER BY id DESC",
            (after,),
        )
        healthy = (number for number, row in enumerate(rows) if row["outcome"] != "failed")
        return next(healthy, len(rows))

    def reviewed(self, cycle: str, tree: str, node: str = "validate") -> object | None:
        """The newest value that the reviewing node returned for this tree in this run, or None."""
        rows = self._read(
            "SELECT type, value FROM step WHERE cycle = ? AND node = ? AND tree = ? AND ended IS NOT NULL "
            "ORDER BY seq DESC LIMIT 1",
            (cycle, node, tree),
        )
        return self._decode(rows[0]["type"], rows[0]["value"]) if rows else None

    def _hold(self, cycle: str, sql: str, values: Mapping[str, Cell]) -> int:
        with self._transaction():
            rows = self._write(sql, values).fetchall()
        if not rows:
            raise JournalError(f"{self.path} has no open run {cycle} that could be taken over")
        self._fences[cycle] = int(rows[0]["fence"])
        return self._fences[cycle]


def _run(row: sqlite3.Row) -> Run:
    path = tuple((row["path"] or "").split())
    return Run(
        row["cycle"], row["fence"], row["graph"], row["program"], row["config"], row["given_type"], row["given"],
        row["model"], row["sandbox"], bool(row["dry_run"]), row["started"], row["ended"], row["outcome"], row["stage"],
        row["reason"], row["stopped_by"], row["exit_code"], row["base"], row["tree"], row["commit"],
        row["result_type"], row["result"], path,
    )  # fmt: skip


def _step(row: sqlite3.Row) -> Step:
    return Step(
        row["seq"], row["node"], row["visit"], row["started"], row["ended"], row["type"], row["value"],
        row["tree"], row["tokens"], row["usd"],
    )  # fmt: skip
