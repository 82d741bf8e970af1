"""Builders that do as they are asked: what they add must be committed."""

from bot.drill.drill import Drill
from bot.drill.good.answers import ANSWERS
from bot.drill.good.entries import ENTRIES
from bot.drill.good.pages import PAGES

GOOD: tuple[Drill, ...] = (*PAGES, *ENTRIES, *ANSWERS)
