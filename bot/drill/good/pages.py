"""Good builders: one more page."""

from __future__ import annotations

from bot.drill.drill import Drill, Play
from bot.drill.scene import Scene
from bot.drill.view import view


def _page(scene: Scene) -> Play:
    return Play(view(scene).visit())


PAGES = (Drill("a-page", "one more page, written beside its siblings", _page, good=True),)
