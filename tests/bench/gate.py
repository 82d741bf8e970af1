"""What running the gate's parts side by side costs over its slowest part alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from statistics import median

from bot.compose import Shop
from bot.nodes.gate import Gate
from bot.parts.appender import Appender
from tests.bench.figure import Figure
from tests.bench.played import judged, shop
from tests.bench.timing import wall

ROUNDS = 7


def gate() -> list[Figure]:
    """The gate node on the demo's addition, beside each part alone; base is measured, the candidate never is."""
    here = shop()
    ready, snapshot = judged(here)
    fresh = _prepared(here, ready.base_tree, snapshot.tree)
    alone: dict[str, list[float]] = {part.name: [] for part in here.parts}
    whole: list[float] = []
    for _ in range(ROUNDS):
        for part in here.parts:
            fresh()
            alone[part.name].append(wall(lambda judge=part.judge: judge(ready, snapshot)))  # type: ignore[misc]
        fresh()
        whole.append(wall(lambda: Gate(lambda: here.parts).run(ready, snapshot)))
    slowest = max(alone, key=lambda name: median(alone[name]))
    times = median(together / single for together, single in zip(whole, alone[slowest], strict=True))
    parts = ", ".join(f"{name} {median(seconds):.2f} s" for name, seconds in alone.items())
    detail = f"{median(whole):.2f} s together; alone: {parts}"
    return [Figure("gate", f"the gate beside its slowest part, {slowest}, alone", times, "times", 1.25, detail)]


def _prepared(here: Shop, base_tree: str, tree: str) -> Callable[[], None]:
    """Puts the cache back to what the guards leave: base measured, what the candidate holds, and its messages.

    Scope extracts those of every candidate, to append what a catalogue lacks.
    """
    cache = here.folders.cache
    shutil.rmtree(cache)
    cache.mkdir()
    here.reader.holdings(base_tree)
    here.reader.holdings(tree)
    for part in here.parts:
        part.baseline(base_tree)
    Appender(here.store, here.extractor, here.settings.gate.catalogue.folder or "").files(base_tree, tree, {})
    kept = Path(shutil.copytree(cache, cache.with_name("cache-kept")))

    def fresh() -> None:
        shutil.rmtree(cache)
        shutil.copytree(kept, cache)

    return fresh
