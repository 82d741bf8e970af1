"""Where the time of a whole cycle goes."""

from __future__ import annotations

from datetime import datetime

from bot.journal import Step
from tests.bench.figure import Figure
from tests.bench.played import played, shop, steps


def demo() -> list[Figure]:
    """The demo's cycle from nothing, its base measured for the first time, with a script in place of a model."""
    rows = steps(shop())
    detail = ", ".join(f"{row.node} {_seconds(row):.2f} s" for row in rows)
    seconds = played().report["seconds"]
    assert isinstance(seconds, float)
    return [Figure("demo", "a whole cycle that commits, base measured for the first time", seconds, "s", None, detail)]


def _seconds(row: Step) -> float:
    assert row.ended is not None
    return (datetime.fromisoformat(row.ended) - datetime.fromisoformat(row.started)).total_seconds()
