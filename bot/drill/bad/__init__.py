"""Builders that must be stopped, a family a module."""

from bot.drill.bad.breaking import BREAKING
from bot.drill.bad.claiming import CLAIMING
from bot.drill.bad.counting import COUNTING
from bot.drill.bad.filling import FILLING
from bot.drill.bad.forging import FORGING
from bot.drill.bad.forking import FORKING
from bot.drill.bad.mending import MENDING
from bot.drill.bad.planting import PLANTING
from bot.drill.bad.rewiring import REWIRING
from bot.drill.bad.served import SERVED
from bot.drill.bad.silencing import SILENCING
from bot.drill.bad.syscalls import SYSCALLS
from bot.drill.bad.taking import TAKING
from bot.drill.bad.translating import TRANSLATING
from bot.drill.bad.walls import WALLS
from bot.drill.bad.writing import WRITING
from bot.drill.drill import Drill

BAD: tuple[Drill, ...] = (
    *COUNTING,
    *CLAIMING,
    *TAKING,
    *WRITING,
    *SILENCING,
    *TRANSLATING,
    *BREAKING,
    *FORGING,
    *REWIRING,
    *FORKING,
    *PLANTING,
    *FILLING,
    *MENDING,
    *WALLS,
    *SYSCALLS,
    *SERVED,
)
