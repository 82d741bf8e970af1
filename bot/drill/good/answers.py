"""Good builders: one more rule that answers with a feed, data or text, or to what visitors send."""

from __future__ import annotations

import ast
from collections.abc import Callable

from bot.drill import literal
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.page import Page, page
from bot.drill.pieces import home
from bot.drill.scene import Scene
from bot.drill.view import spot
from bot.model import Source

FORM = """\
given = request.args.get("minutes", "")
hours = "no hours"
if given.isdecimal() and len(given) < 9:
    hours = f"{int(given) / 60:.1f} hours"
return (
    "<!doctype html>\\n<html lang='en'>\\n"
    "<head><meta charset='utf-8'><title>Hours</title></head>\\n"
    "<body>\\n<h1>Hours</h1>\\n<form method='get'>\\n"
    "<label for='minutes'>Minutes</label>\\n"
    "<input id='minutes' name='minutes' inputmode='numeric'>\\n"
    "<button>Count</button>\\n</form>\\n"
    f"<p>{hours}</p>\\n</body>\\n</html>\\n"
)"""
NUMBERED = """\
if not 1 <= number <= 12:
    abort(404)
return (
    "<!doctype html>\\n<html lang='en'>\\n<head><meta charset='utf-8'>"
    f"<title>Month {number}</title></head>\\n"
    f"<body>\\n<h1>Month {number}</h1>\\n"
    f"<p>It is the month number {number} of twelve.</p>\\n"
    "</body>\\n</html>\\n"
)"""
FEED = """\
text = (
    "<?xml version='1.0' encoding='utf-8'?>\\n<rss version='2.0'>\\n"
    "<channel>\\n<title>Changes of rounding</title>\\n"
    f"<link>{request.path}</link>\\n"
    "<description>When figures are rounded otherwise.</description>\\n"
    "<item><title>Figures are rounded down</title>\\n"
    "<description>To whole minutes.</description></item>\\n"
    "</channel>\\n</rss>\\n"
)
return text, 200, {"Content-Type": "application/rss+xml; charset=utf-8"}"""
SEVERAL = """\
from html import escape

from {module} import {name}

items = "".join(
    f"<item><title>{{escape(str({key}))}}</title></item>\\n" for one in {name}
)
head = "<?xml version='1.0' encoding='utf-8'?>\\n<rss version='2.0'>\\n"
text = (
    f"{{head}}<channel>\\n<title>All {registry}</title>\\n"
    "<link>{url}</link>\\n<description>By their keys.</description>\\n"
    f"{{items}}</channel>\\n</rss>\\n"
)
return text, 200, {{"Content-Type": "application/rss+xml; charset=utf-8"}}"""
PLAIN = 'return "Figures are rounded down.\\n", 200, {"Content-Type": "text/plain"}'
DATA = 'return jsonify({"rounding": "down", "unit": "minute"})'
COUNT = 'return jsonify({"letters": len(request.form.get("text", ""))})'
LETTERS = Page("/letters", "letters", COUNT, ("jsonify", "request"), claims="POST %s", sent=True)
MONTHS = Page("/months/<int:number>", "month", NUMBERED, ("abort",), "number", "/months/3")


def _alone(wanted: Page) -> Callable[[Scene], Play]:
    return lambda scene: Play(page(scene, wanted).visit())


def _feed_of(scene: Scene) -> Play:
    """Of the first registry that is a list in Python."""
    for source in scene.sources:
        if source.source == "python" and (how := _access(scene, source)):
            module, _, name = source.object.partition(":")
            path = f"/{source.name}.xml"
            said = {
                "module": module,
                "name": name,
                "key": how,
                "registry": source.name,
                "url": spot(scene).prefix + path,
            }
            return Play(page(scene, Page(path, f"{source.name}_feed", SEVERAL.format(**said))).visit())
    raise NotHere("no registry of the site is a list in Python")


def _access(scene: Scene, source: Source) -> str:
    """How Python tells the key of one entry, empty where that differs."""
    path, own = home(scene, *source.object.split(":", 1))
    kinds = {type(one.value) for one in literal.Source(scene.text(path), own).pieces if one.key is None}
    ways = {ast.Dict: f"one['{source.key}']", ast.Call: f"one.{source.key}"}
    return ways.get(kinds.pop(), "") if len(kinds) == 1 else ""


ANSWERS = (
    Drill(
        "a-form",
        "a page that answers what visitors type",
        _alone(Page("/hours", "hours", FORM, ("request",))),
        good=True,
    ),
    Drill("a-form-that-is-sent", "a rule that answers POST alone", _alone(LETTERS), good=True),
    Drill("a-page-for-each-number", "one dynamic rule with an example", _alone(MONTHS), good=True),
    Drill("a-feed", "an XML feed", _alone(Page("/changes.xml", "changes_feed", FEED, ("request",))), good=True),
    Drill("a-feed-of-a-registry", "an XML feed of a registry", _feed_of, good=True),
    Drill("a-plain-text", "a plain text", _alone(Page("/rounding.txt", "rounding_plain", PLAIN)), good=True),
    Drill(
        "a-json-answer", "data as JSON", _alone(Page("/rounding.json", "rounding_data", DATA, ("jsonify",))), good=True
    ),
)
