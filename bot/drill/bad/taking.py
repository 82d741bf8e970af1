"""Bad builders that remove, edit or overwrite what the site has."""

from __future__ import annotations

from bot.drill.drill import Drill

TAKING: tuple[Drill, ...] = ()
