"""Where drills take place: a clone of the owner's branch; each drill has a remote, a store and a state of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path

from bot.agents.models import ModelChoice
from bot.compose import Shop
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.result import Result, result
from bot.drill.scene import Scene
from bot.drill.trace import Trace
from bot.errors import PlusoneError
from bot.firing.start import Order, fire, new_trigger
from bot.folders import Folders
from bot.frozen import frozen
from bot.lines import one_line
from bot.machine.environment import Environment
from bot.machine.lock import held
from bot.machine.removal import remove
from bot.settings import Settings
from bot.store.replica import replica
from bot.telling.report import Report

Hear = Callable[[Result], None]
# A drill that is itself at fault on some site must not hide what the others show.
_MISTAKES = (ArithmeticError, AssertionError, AttributeError, LookupError, SyntaxError, TypeError, ValueError)


@frozen
class Arena:
    """`folder` holds everything; `settings` are the owner's, but for where the remote lies and when a cycle may run."""

    folder: Path
    settings: Settings
    environment: Environment
    base: str
    scene: Scene

    def run(self, drills: Sequence[Drill], hear: Hear, at_once: int = 2) -> tuple[Result, ...]:
        """All of them; the first alone, for it measures base for the others. `hear` is told each as it ends."""
        if not drills:
            return ()
        first = self.run_one(drills[0])
        hear(first)
        with ThreadPoolExecutor(at_once, thread_name_prefix="drill") as pool:
            found = [first]
            for one in pool.map(self.run_one, drills[1:]):
                hear(one)
                found.append(one)
        return tuple(found)

    def run_one(self, drill: Drill) -> Result:
        """One cycle with the drill's script. What breaks is a result too: a drill that proves nothing."""
        try:
            play = drill.compose(self.scene)
        except NotHere as reason:
            return Result(drill.name, drill.good, drill.story, "not here", why=str(reason), checks=drill.checks)
        except _MISTAKES as error:
            return _broken(drill, f"it cannot be written: {type(error).__name__}: {error}")
        place = self.folder / drill.name
        place.mkdir(mode=0o700)
        try:
            folders, settings = self._staged(place)
            for earlier in play.before:
                self._cycle(place, folders, settings, earlier)
            trace = self._cycle(place, folders, settings, play)
            return result(drill, trace, "" if drill.good else play.harm(trace))
        except PlusoneError as error:
            return _broken(drill, str(error))
        finally:
            _lend(Folders.of(place, self.settings.site.name).cache, self._cache)
            remove(place)

    @property
    def _cache(self) -> Path:
        """What was measured of base: each drill begins with it, and brings what it measured besides."""
        return Folders.of(self.folder / "state", self.settings.site.name).cache

    def _staged(self, place: Path) -> tuple[Folders, Settings]:
        """A remote, a store and a state of the drill's own, and the settings that name them."""
        settings, folders = self.settings, Folders.of(place, self.settings.site.name)
        _furnish(folders)
        _lend(self._cache, folders.cache)
        replica(self.folder / "state" / settings.site.name / "store.git", place, settings.site.branch, self.base)
        (place / "store.git").rename(folders.store)
        site = settings.site.model_copy(update={"remote": str(place / "remote.git")})
        return folders, settings.model_copy(update={"site": site})

    def _cycle(self, place: Path, folders: Folders, settings: Settings, play: Play) -> Trace:
        script = place / "script.json"
        script.write_text(json.dumps(play.script()), encoding="utf-8")
        heard: list[Report] = []
        order = Order(settings, folders, self.environment, ModelChoice("script", script), tell=heard.append)
        try:
            fire(order)
        except PlusoneError:
            if not heard:
                raise
        return Trace(heard[-1], place, folders.cycle(str(heard[-1]["cycle"])) / "recording.jsonl")


def _broken(drill: Drill, why: str) -> Result:
    return Result(drill.name, drill.good, drill.story, "broken", why=one_line(why), checks=drill.checks)


@contextmanager
def arena(settings: Settings, environment: Environment, root: Path) -> Iterator[Arena]:
    """Inside, the arena stands in the site's state folder `root`; nothing of it is left afterwards.

    Raises LockHeld where a drill is under way, and what fetching and reading the owner's branch raise.
    """
    folder = root / "drill"
    with held(root / "drill.lock"):
        remove(folder)
        try:
            yield _made(folder, settings, environment)
        finally:
            remove(folder)


def _made(folder: Path, settings: Settings, environment: Environment) -> Arena:
    folders = Folders.of(folder / "state", settings.site.name)
    _furnish(folders)
    choice = ModelChoice("script")
    shop = Shop(settings, folders, environment, new_trigger(Order(settings, folders, environment, choice)), choice)
    base = shop.store.fetch(settings.site.branch)
    tree = shop.store.tree_of(base)
    shop.store.keep("drill/base", base)
    _, holdings = shop.reader.holdings(tree)
    store = shop.store
    scene = Scene(settings, store.entries(tree), holdings, lambda entry: store.blob(entry.oid))
    return Arena(folder, _at_any_time(settings), environment, base, scene)


def _furnish(folders: Folders) -> None:
    folders.root.mkdir(mode=0o700, parents=True)
    folders.create()


def _lend(cache: Path, to: Path) -> None:
    """Put the files of one cache into another one. They are never written to again, so links do."""
    for file in cache.glob("[!.]*"):
        with suppress(FileExistsError):
            os.link(file, to / file.name)


def _at_any_time(settings: Settings) -> Settings:
    """No live checkout, no quiet period, nobody to tell, no person to approve: all else as the owner has it."""
    site = settings.site.model_copy(update={"checkout": ""})
    cycle = settings.cycle.model_copy(update={"quiet_period": timedelta(0), "approve": "auto"})
    notify = type(settings.notify)()
    return settings.model_copy(update={"site": site, "cycle": cycle, "notify": notify})
