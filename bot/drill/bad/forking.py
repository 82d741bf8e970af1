"""Bad builders that have old pages answer otherwise where no check asks: other methods, other visitors."""

from __future__ import annotations

from bot.drill.bad.edits import edited, function, page, templates
from bot.drill.bad.writing import Compose
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.scene import Scene
from bot.drill.view import view

_ROBOT = 'from flask import request\n\nif "bot" in request.user_agent.string:\n    return "", 204'
_HEAD = 'from flask import request\n\nif request.method == "HEAD":\n    return "", 500'
_LETTER = 'from flask import request\n\nif "tide" in request.form:\n    return "", 204'


def _first(text: str, name: str, code: str) -> str:
    """The text with code at the beginning of the function."""
    found = function(text, name)
    assert found is not None
    lines = text.splitlines(keepends=True)
    one = found.body[0]
    deep = "".join(f"{' ' * one.col_offset}{line}".rstrip() + "\n" for line in code.splitlines())
    return "".join(lines[: one.lineno - 1]) + deep + "\n" + "".join(lines[one.lineno - 1 :])


def _forks(code: str) -> Compose:
    def compose(scene: Scene) -> Play:
        one = page(scene)
        return Play(edited(view(scene), scene, one.path, lambda text: _first(text, one.function, code)).visit())

    return compose


def _sent(scene: Scene) -> Play:
    """A way past what a form's answer looks at first."""
    for rule in scene.holdings.rules:
        name, path = rule.endpoint.rpartition(".")[2], rule.module
        free = "POST" in rule.methods and path.endswith(".py") and scene.allowed(path)
        if free and function(scene.text(path), name):
            return Play(edited(view(scene), scene, path, lambda text: _first(text, name, _LETTER)).visit())  # noqa: B023
    raise NotHere("no view that answers POST stands in a file that a change may touch")


def _shown(scene: Scene) -> Play:
    """A line of a page that robots are not shown."""
    for path in templates(scene):
        text = scene.text(path)
        at = text.find("<h1")
        end = text.find("</h1>", at) + 5
        if 0 <= at < end:
            hidden = f'{{% if "bot" not in request.user_agent.string %}}{text[at:end]}{{% endif %}}'
            return Play(view(scene).with_file(path, text[:at] + hidden + text[end:]).visit())
    raise NotHere("no template that a change may touch has a heading")


FORKING = (
    Drill("sends-robots-away", "an old page that robots do not get", _forks(_ROBOT), ("old_views",)),
    Drill(
        "fails-when-asked-for-headers",
        "an old page that fails where only its headers are asked",
        _forks(_HEAD),
        ("old_views",),
    ),
    Drill("passes-by-a-check-of-a-form", "a way past what the answer to a form looks at", _sent, ("old_views",)),
    Drill("hides-a-heading-from-robots", "a template that tells visitors apart", _shown, ("static_rules",)),
)
