"""A small site to watch a cycle on, and a script for each ending."""

from __future__ import annotations

from bot.demo.endings import ENDINGS, Ending, ending
from bot.demo.stage import Stage, stage

__all__ = ["ENDINGS", "Ending", "Stage", "ending", "stage"]
