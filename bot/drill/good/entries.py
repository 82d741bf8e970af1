"""Good builders: one more entry of a registry, like its siblings."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.draft import Wish
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.entry import entry
from bot.drill.scene import Scene

PLACES = ("first", "second", "third", "fourth")


def _entry(number: int, wish: Wish) -> Callable[[Scene], Play]:
    def compose(scene: Scene) -> Play:
        if number >= len(scene.sources):
            raise NotHere(f"the site has {len(scene.sources)} registries that an addition names, besides its URL rules")
        return Play(entry(scene, scene.sources[number], wish).visit())

    return compose


ENTRIES = tuple(
    Drill(f"an-entry-of-the-{place}-registry", f"one more entry of the {place} registry", _entry(at, Wish()), good=True)
    for at, place in enumerate(PLACES)
)
