"""Bad builders that forge verdicts: exits, patched clients, error handlers, constant answers."""

from __future__ import annotations

from bot.drill.drill import Drill

FORGING: tuple[Drill, ...] = ()
