"""Bad builders that silence the owner's checks: lint, tests, catalogues, tools and their configuration."""

from __future__ import annotations

from bot.drill.drill import Drill

SILENCING: tuple[Drill, ...] = ()
