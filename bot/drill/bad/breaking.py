"""Bad builders that break a page that they did not touch, or put something on one that must not be there."""

from __future__ import annotations

from bot.drill.drill import Drill

BREAKING: tuple[Drill, ...] = ()
