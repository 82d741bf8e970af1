"""Bad builders that put the application together otherwise, in spellings that no rule of text knows."""

from __future__ import annotations

from bot.drill.bad.edits import behind, edited, page
from bot.drill.bad.writing import Compose
from bot.drill.drill import Drill, Play
from bot.drill.scene import Scene
from bot.drill.view import view

_EXCHANGED = 'vars(found)["view_" + "functions"][next(iter(vars(found)["view_" + "functions"]))] = tide_rewired'
_PATCHED = 'setattr(type(found), "make_" + "default_options_response", tide_rewired)'
_KEY = 'found.config["SECRET_" + "KEY"] = "the tide comes in"'
_ANSWERS = 'vars(found)["before_" + "request_funcs"].setdefault(None, []).append(lambda: None)'


def _registered(code: str) -> Compose:
    """A good page, and a deed done once the site's application is at hand: `found` in the code."""

    def compose(scene: Scene) -> Play:
        one = page(scene)
        owner = one.decorator.rpartition(".")[0]
        whole = (
            f"def tide_rewired(state=None, *more):\n    found = getattr(state, 'app', state)\n    {code}\n\n\n"
            f"tide_rewired({owner}) if hasattr({owner}, 'jinja_env') else {owner}.record(tide_rewired)"
        )
        return Play(edited(view(scene), scene, one.path, lambda text: behind(text, one.function, whole)).visit())

    return compose


def _drill(name: str, story: str, code: str) -> Drill:
    return Drill(name, story, _registered(code), ("wired_as_before",))


REWIRING = (
    _drill("exchanges-a-view", "an old endpoint that another function answers for", _EXCHANGED),
    _drill(
        "exchanges-a-filter",
        "an old filter of the templates that does something else",
        'found.jinja_env.filters["upper"] = found.jinja_env.filters["lower"]',
    ),
    _drill("patches-by-a-made-up-name", "another method of Flask's, by a name that is put together", _PATCHED),
    _drill("changes-the-secret-key", "another key, so that every visitor is logged out", _KEY),
    _drill("hooks-into-a-table", "a hook on every request, by the table of hooks", _ANSWERS),
)
