"""Good builders: one more page, with what belongs to it."""

from __future__ import annotations

from bot.drill.added import Added
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.page import Page, linked, looks, page
from bot.drill.scene import Scene
from bot.drill.translated import translated
from bot.drill.view import PAGE, returning, spot, view

TITLE, LINE = "Notes on rounding", "Each figure on these pages is rounded down."
TRANSLATED = {TITLE: {"zh": "关于取整"}, LINE: {"zh": "这些页面上的数字都向下取整。"}}
TEMPLATE = "rounding-notes.html"
RENDERED = Page("/rounding-notes", "rounding_notes", f'return render_template("{TEMPLATE}")', ("render_template",))
DATA = 'return jsonify({"rounding": "down", "unit": "minute"})'
FRAMED = """\
picture = url_for("static", filename="disc.svg")
return (
    "<!doctype html>\\n<html lang='en'>\\n"
    "<head><meta charset='utf-8'><title>A disc</title></head>\\n"
    f"<body><h1>A disc</h1><p><img src='{picture}' alt='A disc'></p></body>\\n"
    "</html>\\n"
)"""


def _page(scene: Scene) -> Play:
    return Play(view(scene).visit())


def _by_template(scene: Scene) -> Play:
    return Play(_rendered(scene).visit())


def _rendered(scene: Scene) -> Added:
    shown = looks(scene)
    text = shown.template(TITLE, f"<h1>{TITLE}</h1>\n<p>{LINE}</p>")
    return page(scene, RENDERED).with_file(shown.folder + TEMPLATE, text)


def _in_words(scene: Scene) -> Play:
    """Its words are messages, where templates of the site have such."""
    shown = looks(scene)
    if not any("{{ _(" in scene.text(path) for path in scene.files(".html") if path.startswith(shown.folder)):
        raise NotHere("no template of the site marks its words for translation")
    text = shown.template(f"{{{{ _('{TITLE}') }}}}", f"<h1>{{{{ _('{TITLE}') }}}}</h1>\n<p>{{{{ _('{LINE}') }}}}</p>")
    added = page(scene, RENDERED).with_file(shown.folder + TEMPLATE, text)
    return Play(translated(scene, added, TRANSLATED).visit())


def _linked(scene: Scene) -> Play:
    added = view(scene)
    return Play(linked(scene, added, added.routes[0], "Notes").visit())


def _redirect(scene: Scene) -> Play:
    wanted = Page("/table-notes", "table_notes", "", ("redirect",), claims="%s -> 301")
    added = view(scene)
    body = f'return redirect("{added.routes[0]}", code=301)'
    return Play(page(scene, Page(wanted.path, wanted.name, body, wanted.uses, claims=wanted.claims), added).visit())


def _two(scene: Scene) -> Play:
    return Play(page(scene, Page("/rounding.json", "rounding_data", DATA, ("jsonify",)), _rendered(scene)).visit())


def _elsewhere(scene: Scene) -> Play:
    return Play(page(scene, Page("/rounding-rule", "rounding_rule", returning(PAGE)), at=1).visit())


def _static(scene: Scene) -> Play:
    """A picture of its own, beside the site's other files."""
    for rule in scene.holdings.rules:
        folder = next((path[: path.index("/static/") + 8] for path in scene.files("") if "/static/" in path), "")
        if rule.static and rule.endpoint == "static" and folder and scene.allowed(folder + "disc.svg"):
            picture = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'><circle cx='4' cy='4' r='3'/></svg>\n"
            added = page(scene, Page("/disc", "disc", FRAMED, ("url_for",)))
            return Play(added.with_file(folder + "disc.svg", picture).visit())
    raise NotHere("the site has no folder of static files that a change may add to")


def _moduled(scene: Scene) -> Play:
    """Its text lies in a module of its own, beside the one of the view."""
    where = spot(scene)
    folder, _, _ = where.path.rpartition("/")
    name = "rounding_text"
    root = next((one for one in scene.settings.site.path if one in (".", "") or folder.startswith(one)), None)
    if root is None:
        raise NotHere("the views do not lie below any folder of site.path")
    inside = folder if root in (".", "") else folder[len(root) :].strip("/")
    module = ".".join(part for part in [*inside.split("/"), name] if part)
    added = page(scene, Page("/rounding", "rounding", f"from {module} import PAGE\n\nreturn PAGE"))
    lines = "\n".join(returning(PAGE).splitlines()[1:-1])
    text = f'"""What the notes say."""\n\nPAGE = (\n{lines}\n)\n'
    return Play(added.with_file(f"{folder}/{name}.py" if folder else f"{name}.py", text).visit())


PAGES = (
    Drill("a-page", "one more page, written beside its siblings", _page, good=True),
    Drill("a-page-elsewhere", "a page beside other siblings", _elsewhere, good=True),
    Drill("a-page-by-template", "a page by a template like the others", _by_template, good=True),
    Drill("a-page-in-all-languages", "a page whose words are translated", _in_words, good=True),
    Drill("a-page-and-its-link", "a page, and a link to it on a page that the claim names", _linked, good=True),
    Drill("a-page-and-its-picture", "a page with a static file of its own", _static, good=True),
    Drill("a-page-and-its-module", "a page whose text lies in a new module", _moduled, good=True),
    Drill("a-page-and-its-data", "a page and the same as data: two rules, one thing", _two, good=True),
    Drill("a-page-and-its-short-address", "a page and a redirect to it", _redirect, good=True),
)
