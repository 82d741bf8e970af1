"""The drill: scripted builders attack a clone of the owner's site, and scripted good ones must pass."""

from bot.drill.arena import Arena, arena
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.drills import DRILLS
from bot.drill.result import Result
from bot.drill.scene import Scene

__all__ = ["DRILLS", "Arena", "Drill", "NotHere", "Play", "Result", "Scene", "arena"]
