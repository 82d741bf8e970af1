"""Good builders: one more entry of a registry, like its siblings."""

from __future__ import annotations

from bot.drill.drill import Drill

ENTRIES: tuple[Drill, ...] = ()
