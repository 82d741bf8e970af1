"""Bad builders that add nothing, too much, or what is there already."""

from __future__ import annotations

from bot.drill.drill import Drill, Play
from bot.drill.moves import submit
from bot.drill.scene import Scene
from bot.drill.view import function, returning, spliced, spot, view


def _nothing(scene: Scene) -> Play:
    kind = scene.settings.additions[0].kind
    return Play([submit(kind, "nothing-at-all")])


def _three_views(scene: Scene) -> Play:
    """One more than any addition allows."""
    added, where = view(scene), spot(scene)
    most = max(one.adds["url_map"].most for one in scene.settings.additions if "url_map" in one.adds)
    text = added.files[where.path]
    for number in range(most):
        page = returning(f"<!doctype html><title>Note {number}</title><h1>Note {number}</h1>")
        text = spliced(text, where, function(where, f"/tide-note-{number}", f"tide_note_{number}", page))
    return Play(added.with_file(where.path, text).visit())


COUNTING = (
    Drill("adds-nothing", "hands in without a change", _nothing, ("empty",)),
    Drill("adds-too-many-views", "one view more than an addition may bring", _three_views, ("one_addition",)),
)
