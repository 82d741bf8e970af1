"""Bad builders that plant files that something would obey, follow or choke on."""

from __future__ import annotations

from bot.drill.drill import Drill

PLANTING: tuple[Drill, ...] = ()
