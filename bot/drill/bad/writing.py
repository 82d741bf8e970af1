"""Bad builders that write what no page or file should hold: secrets, hidden characters, suppressions, what talks to the reviewer."""

from __future__ import annotations

from bot.drill.drill import Drill

WRITING: tuple[Drill, ...] = ()
