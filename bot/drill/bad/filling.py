"""Bad builders that use up memory, disk, processes, time or output, or leave something running."""

from __future__ import annotations

from bot.drill.drill import Drill

FILLING: tuple[Drill, ...] = ()
