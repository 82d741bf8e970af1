"""One cycle of the demo that was committed, for benches that look at its parts."""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

from bot.agents.models import ModelChoice
from bot.compose import Shop
from bot.demo import ending
from bot.demo.performance import Performance, perform
from bot.folders import Folders
from bot.journal import Step
from bot.machine.environment import Environment
from bot.model import Ready, Snapshot, Trigger
from bot.settings import load


@cache
def played() -> Performance:
    """The cycle, run once and kept until we end."""
    folder = Path(tempfile.mkdtemp(prefix="plusone-bench-"))
    atexit.register(shutil.rmtree, folder)
    done = perform(folder / "demo", ending("committed"), sys.executable)
    assert done.fits, done.report
    return done


def shop() -> Shop:
    """The adapters of a firing on that site, over the state that the cycle left."""
    config = played().stage.config
    settings, state = load(config), config.parent / "state"
    trigger = Trigger(str(played().report["cycle"]), "2026-11-30T04:00:00+00:00")
    choice = ModelChoice("script", ending("committed").script)
    folders = Folders.of(state, settings.site.name)
    folders.create()
    return Shop(settings, folders, Environment(state), trigger, choice)


def steps(of: Shop) -> tuple[Step, ...]:
    """The cycle's rows."""
    return of.journal.steps(of.trigger.cycle)


def judged(of: Shop) -> tuple[Ready, Snapshot]:
    """What the gate was given."""
    values = [of.journal.value(step.type, step.value) for step in steps(of) if step.type and step.value]
    ready = next(one for one in values if isinstance(one, Ready))
    return ready, next(one for one in values if isinstance(one, Snapshot))
