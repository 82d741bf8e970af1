"""All drills: the good ones first, since a check that stops those would make any bad one look stopped."""

from __future__ import annotations

from bot.drill.bad import BAD
from bot.drill.drill import Drill
from bot.drill.good import GOOD

DRILLS: tuple[Drill, ...] = (*GOOD, *BAD)
