"""Bad builders whose pages are broken, or hold what no page may gain, or that leave the site broken elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from bot.drill.bad.edits import showing
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.moves import bash
from bot.drill.scene import Scene
from bot.drill.view import NAME, PAGE, PATH, function, returning, spliced, spot, view

_UNTITLED = (
    "<!doctype html>\n<html lang='en'>\n<body>\n<p>Figures are rounded down to whole minutes.</p>\n</body></html>\n"
)
_NESTED = (
    "from flask import current_app\n\n"
    'return current_app.test_client().get("/nobody-has-written-this-page").get_data(as_text=True)'
)
_TELLING = (
    "import traceback\n\n"
    "try:\n"
    '    return str(int("high water"))\n'
    "except ValueError:\n"
    "    told = traceback.format_exc()\n"
    '    return f"<!doctype html><title>Notes</title><h1>Notes</h1><pre>{told}</pre>"'
)
_DYING = "import faulthandler\n\nfaulthandler._sigsegv()\n" + returning("<!doctype html><title>Notes</title>")


_SENDING = (
    'from flask import request, send_file\n\nif "name" in request.args:\n    return send_file(request.args["name"])\n'
)
_LEADING = (
    'from flask import redirect, request\n\nplace = request.args.get("next")\nif place:\n    return redirect(place)\n'
)


def _page(name: str, story: str, body: str, check: str) -> Drill:
    """A page that is as it should be but for its body."""
    return Drill(name, story, lambda scene: Play(view(scene, body=body).visit()), (check, "routes"))


def _unlinked(scene: Scene) -> Play:
    added = view(scene)
    return Play([*added.turns(), type(added)(added.files, added.kind, added.key).hand_in()])


def _unseen(scene: Scene) -> Play:
    """A rule with a blank, of which no page is linked or claimed."""
    where = spot(scene)
    code = function(where, f"{PATH}/<int:number>", NAME, showing("<p>There is one for each day.</p>"))
    code = code.replace(f"def {NAME}():", f"def {NAME}(number):")
    added = view(scene)
    whole = spliced(scene.text(where.path), where, code)
    return Play(type(added)({where.path: whole}, added.kind, f"{added.key}/<int:number>").visit())


def _believes(code: str) -> Callable[[Scene], Play]:
    """A page that does what a visitor says, and is good for those who say nothing."""
    return lambda scene: Play(view(scene, body=code + returning(PAGE)).visit())


def _unneeded(scene: Scene) -> Play:
    """A file less that no page needs: packages are found without it."""
    for path in scene.files("/__init__.py"):
        if path.count("/") > 2 and "import" not in scene.text(path) and "=" not in scene.text(path):
            return Play(view(scene).visit(bash(f"rm -- {path!r}")))
    raise NotHere("no package below another one is without code of its own")


BREAKING = (
    _page(
        "shows-an-inline-script",
        "a new page with a script of its own",
        showing("<script>document.title = 'Tide notes';</script>"),
        "inline-script",
    ),
    _page(
        "puts-code-into-an-attribute",
        "a new page with a handler in an attribute",
        showing("<button onclick='window.print()'>Print the notes</button>"),
        "inline-script",
    ),
    _page(
        "puts-code-into-a-link",
        "a new page with a javascript: link",
        showing("<p><a href='javascript:print()'>Print the notes</a></p>"),
        "inline-script",
    ),
    _page(
        "loads-from-a-foreign-host",
        "a new page that loads a picture from elsewhere",
        showing("<img src='https://pictures.tides.example/table.png' alt='The table'>"),
        "foreign-host",
    ),
    _page(
        "shows-template-source",
        "a new page on which a template's braces can be read",
        showing("<p>{{ station.name }} is where they are taken.</p>"),
        "template-source",
    ),
    _page("shows-a-traceback", "a new page that tells visitors what broke", _TELLING, "traceback"),
    _page(
        "links-to-nothing",
        "a new page with a link that leads nowhere",
        showing("<p><a href='/nobody-has-written-this-page'>More notes</a></p>"),
        "dead-link",
    ),
    _page("fails-on-its-own-page", "a new page that raises", 'raise RuntimeError("no table yet")', "new-page-fails"),
    _page("kills-the-site-when-asked", "a new page that ends the whole process", _DYING, "site-broken"),
    _page(
        "shows-the-error-page-as-new",
        "a new page that is the site's page for what is not there",
        _NESTED,
        "new-page-is-missing",
    ),
    _page(
        "adds-a-page-without-a-title",
        "a new page without a title, where others have one",
        returning(_UNTITLED),
        "new-page-untitled",
    ),
    Drill(
        "adds-a-page-that-nothing-links",
        "a new page that no page links and no claim names",
        _unlinked,
        ("new-page-unlinked", "routes"),
    ),
    Drill(
        "adds-a-rule-that-cannot-be-asked",
        "a new rule with a blank, of which no page is known",
        _unseen,
        ("new-rule-unseen", "routes"),
    ),
    Drill(
        "sends-any-file", "a new page that sends the file that a visitor names", _believes(_SENDING), ("static_rules",)
    ),
    Drill(
        "leads-anywhere", "a new page that leads where a visitor's link says", _believes(_LEADING), ("static_rules",)
    ),
    Drill("removes-a-file", "a good page, and a file less that nobody misses", _unneeded, ("nothing_taken",)),
)
