"""How long the whole drill takes on the demo's site."""

from __future__ import annotations

import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from bot.demo import stage
from bot.drill import DRILLS, arena
from bot.machine.environment import Environment
from bot.settings import load
from tests.bench.figure import Figure

LIMIT = 180.0


def drill() -> list[Figure]:
    """From the first fetch to the last verdict, base measured on the way, two builders at a time."""
    with tempfile.TemporaryDirectory(prefix="plusone-bench-") as folder:
        made = stage(Path(folder, "lights"), sys.executable, datetime.now(UTC).replace(microsecond=0))
        state, began = Path(folder, "state"), time.monotonic()
        with arena(load(made.config), Environment(state=state), state) as ground:
            results = ground.run(DRILLS, lambda _: None)
        seconds = time.monotonic() - began
    slowest = max(results, key=lambda one: one.seconds)
    told = f"{len(results)} builders, {sum(one.fails for one in results)} not as meant; slowest {slowest.name}"
    return [
        Figure("drill", "the whole drill on the demo's site", seconds, "s", LIMIT, f"{told} {slowest.seconds:.1f} s")
    ]
