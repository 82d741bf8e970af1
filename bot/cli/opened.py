"""What a command that only looks opens: the configuration, the state folder, and the journal in it."""

from __future__ import annotations

from pathlib import Path

from bot.cli.options import folders
from bot.codec import decode, encode
from bot.errors import ConfigError
from bot.folders import Folders
from bot.frozen import frozen
from bot.journal import Journal, Run
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment, read_environment
from bot.settings import Settings, load


@frozen
class Opened:
    """One site, as its owner configured it, and what was recorded of it."""

    settings: Settings
    folders: Folders
    environment: Environment
    journal: Journal

    @classmethod
    def of(cls, config: Path, state: Path | None, *, fresh: bool = False) -> Opened:
        """Raises ConfigError where nothing was ever recorded, for looking makes no folder; `fresh` makes it."""
        settings, environment = load(config), read_environment()
        where = folders(settings, environment, state)
        if fresh:
            where.create()
        elif not where.journal.exists():
            raise ConfigError(f"{where.root} holds no record of {settings.site.name} yet; `plusone run` makes one")
        return cls(settings, where, environment, Journal(where.journal, SystemClock(), encode, decode))

    def run(self, cycle: str) -> Run:
        """The run of that id, or the only one whose id begins so; `last` is the newest. Raises ConfigError."""
        runs = self.journal.runs(100_000)
        found = runs[:1] if cycle == "last" else tuple(run for run in runs if run.cycle.startswith(cycle))
        exact = tuple(run for run in found if run.cycle == cycle)
        if len(exact or found) != 1:
            how = "no cycle" if not found else f"{len(found)} cycles"
            raise ConfigError(f"{how} of that name: {cycle}; `plusone runs` lists them")
        return (exact or found)[0]
