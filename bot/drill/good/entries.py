"""Good builders: one more entry of a registry, like its siblings."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.draft import Wish
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.entry import entry
from bot.drill.scene import Scene

PLACES = ("first", "second", "third")
WISHES = {
    "an-entry-in-the-middle": ("one more entry between two others", Wish(1, at=1)),
    "an-entry-in-one-sentence": ("one more entry with a shorter text", Wish(2, short=True)),
    "an-entry-turned-round": ("one more entry with its fields in another order", Wish(3, turned=True)),
}


def _entry(number: int, wish: Wish) -> Callable[[Scene], Play]:
    def compose(scene: Scene) -> Play:
        if number >= len(scene.sources):
            raise NotHere(f"the owner lets entries be added to {len(scene.sources)} registries besides the URL rules")
        return Play(entry(scene, scene.sources[number], wish).visit())

    return compose


def _of(number: int, place: str) -> Drill:
    story = f"one more entry of the {place} registry"
    return Drill(f"an-entry-of-the-{place}-registry", story, _entry(number, Wish()), good=True)


ENTRIES = (
    *(_of(number, place) for number, place in enumerate(PLACES)),
    *(Drill(name, story, _entry(0, wish), good=True) for name, (story, wish) in WISHES.items()),
)
