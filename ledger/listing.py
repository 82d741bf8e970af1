"""The ledger as a list for people: each key with its state, where that comes from, and since when."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import datetime
from typing import Literal

from bot.frozen import frozen
from ledger.store import LedgerStore, faded


@frozen
class Row:
    """`commit` is empty for what no commit added; `cycle` for what no cycle did; `why` is a rejection's reason."""

    key: str
    state: Literal["configured", "removed", "committed", "rejected"]
    commit: str = ""
    date: str = ""
    cycle: str = ""
    why: str = ""

    @property
    def line(self) -> str:
        """The row as text."""
        source = self.commit[:10] or self.cycle
        return " ".join(filter(None, [self.state, self.key, source, self.date[:10], self.why]))


def listing(ledger: LedgerStore, now: datetime, gone: Collection[str]) -> list[Row]:
    """One row a key, the first that tells of it: configured, then committed or removed, then rejected.

    Ideas that have faded are left out.
    """
    rows: dict[str, Row] = {}
    for row in _rows(ledger, now, gone):
        rows.setdefault(row.key, row)
    return list(rows.values())


def _rows(ledger: LedgerStore, now: datetime, gone: Collection[str]) -> Iterator[Row]:
    held = ledger.contents()
    lost = {*gone, *held.removed}
    for key in ledger.configured:
        yield Row(key, "configured")
    for one in held.added:
        yield Row(one.key, "removed" if one.key in lost else "committed", one.commit, one.when, one.cycle)
    for idea in held.rejected:
        for key in idea.keys if not faded(idea, now) else ():
            yield Row(key, "rejected", date=idea.when, cycle=idea.cycle, why=idea.reason)
