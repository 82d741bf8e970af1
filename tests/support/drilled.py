"""Results of drills as they would be, and a record of one that went well."""

from __future__ import annotations

from pathlib import Path

from bot.drill.record import keep
from bot.drill.result import Result, Verdict
from bot.folders import Folders
from bot.settings import load

WHEN, BASE = "2026-11-30T04:00:00+00:00", "b" * 40


def result(name: str, verdict: Verdict, *, good: bool = False, by: str = "guards: size", why: str = "") -> Result:
    return Result(name, good, f"the story of {name}", verdict, by, why or f"the reason of {name}", 1.25)


def drilled(config: Path, state: Path, *results: Result) -> Path:
    """Put a drill of this program with that configuration on record; by default one in which all was stopped."""
    settings = load(config)
    folders = Folders.of(state, settings.site.name)
    folders.create()
    return keep(folders.root, settings, WHEN, BASE, results or (result("adds-two", "stopped"),))
