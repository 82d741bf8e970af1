"""Bad builders that remove, edit or overwrite what the site has, beside a good addition."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from bot.drill.added import Added
from bot.drill.bad.edits import PAGES, Known, answer, behind, edited, exchanged, page, pages, redirect, spoilt
from bot.drill.drill import Drill, NotHere, Play
from bot.drill.moves import write
from bot.drill.scene import Scene
from bot.drill.view import PAGE, returning, view
from gates.plan import page_url
from gates.rules import reaches

_TEXT = re.compile(r"<(p|h1|h2|li|td|legend|dt|dd)\b[^>]*>[^<]*[^\W\d_][^<]*</\1>")
_LINK = re.compile(r"<a\b[^>]*\bhref=[^>]*>([^<]*[^\W\d_][^<]*)</a>")
_FIELD = re.compile(r"(<(?:input|select|textarea)\b[^>]*\bname=[\"']?)(?=\w)")
_META = re.compile(r"<meta\b[^>]*\bname=[^>]*>")
_LIBRARY = ("render_template", "jsonify", "flask.render_template", "flask.jsonify")


def _spoils(shape: re.Pattern[str], new: str) -> Callable[[Scene], Play]:
    """A good page, and templates that lack something which they had."""
    return lambda scene: Play(spoilt(scene, view(scene), shape, lambda found: found.expand(new)).visit())


def _answers(scene: Scene, fits: Callable[[ast.expr], bool], new: Callable[[str, Known], str]) -> Play:
    """A good page, and a few views that give something else than before."""
    added, spoilt_ = view(scene), 0
    for one in pages(scene):
        given = answer(scene.text(one.path), one.function)
        if given is not None and fits(given) and spoilt_ < PAGES:
            spoilt_ += 1
            added = edited(added, scene, one.path, lambda text, known=one: _given(text, known, new))  # type: ignore[misc]
    if not spoilt_:
        raise NotHere("no view that a change may touch gives anything of the kind, in one plain line")
    return Play(added.visit())


def _given(text: str, one: Known, new: Callable[[str, Known], str]) -> str:
    given = answer(text, one.function)
    return text if given is None else exchanged(text, given, new(ast.get_source_segment(text, given) or "", one))


def _is_page(given: ast.expr) -> bool:
    return isinstance(given, ast.Call) and ast.unparse(given.func) in _LIBRARY


def _status(scene: Scene) -> Play:
    return _answers(scene, _is_page, lambda said, _: _together(said, "203"))


def _type(scene: Scene) -> Play:
    return _answers(scene, _is_page, lambda said, _: _together(said, '{"Content-Type": "text/plain; charset=utf-8"}'))


def _together(said: str, more: str) -> str:
    return f"(\n        {said},\n        {more},\n    )"


def _target(scene: Scene) -> Play:
    """Redirects of a few views lead to the new page."""
    added = view(scene)
    where = f'"{added.routes[0]}"'
    led = [one for one in pages(scene) if redirect(scene.text(one.path), one.function)][:PAGES]
    for one in led:
        text = added.files.get(one.path) or scene.text(one.path)
        given = redirect(text, one.function)
        added = added.with_file(one.path, exchanged(text, given, where)) if given else added
    if not led:
        raise NotHere("no view that a change may touch redirects")
    return Play(added.visit())


def _static(scene: Scene) -> Play:
    """A file that is sent as it is, with more in it."""
    path = next((path for path in scene.files("") if "/static/" in f"/{path}"), "")
    if not path or not any(rule.static for rule in scene.holdings.rules):
        raise NotHere("the site sends no file that a change may touch")
    added = view(scene)
    content = scene.content(path)
    text = path.endswith((".css", ".js", ".svg", ".txt"))
    turn = write(path, content.decode() + "\n") if text else write(path, content + b"\0")
    return Play(added.visit(turn))


def _emptied(scene: Scene) -> Play:
    """The new page says what an old one said, and the old one next to nothing; the claim names it."""
    for one in pages(scene):
        given = answer(scene.text(one.path), one.function)
        plain = isinstance(given, ast.Call) and _is_page(given) and len(given.args) == 1 and not given.keywords
        if given is not None and plain and any(map(str.isalpha, one.rule.rule)):
            return _moved(scene, one, ast.unparse(given))
    raise NotHere("no view that a change may touch shows a template without values")


def _moved(scene: Scene, one: Known, said: str) -> Play:
    new = view(scene)
    at = one.spot.prefix + "/tide-table-notes"
    page_ = f'@{one.decorator}("/tide-table-notes")\ndef tide_table_notes():\n    return {said}'
    little = returning(PAGE).removeprefix("return ")
    added = edited(
        Added({}, new.kind, f"GET {at}", (at,), (one.rule.rule,)),
        scene,
        one.path,
        lambda text: behind(_given(text, one, lambda *_: little), one.function, page_),
    )
    return Play(added.visit())


def _twice(scene: Scene) -> Play:
    """A second view under an old rule: one of the two is never reached."""
    one, added = page(scene), view(scene)
    code = f'@{one.decorator}("{one.own}")\ndef tide_table_again():\n' + _indented(returning(PAGE))
    return Play(edited(added, scene, one.path, lambda text: behind(text, one.function, code)).visit())


def _taken_over(scene: Scene) -> Play:
    """The page of an entry under a rule of its own, which beats the rule with the blank."""
    for source in scene.settings.sources:
        entries = scene.holdings.registry(source.name).entries
        url = page_url(source, entries[0].key) if source.page and entries else ""
        for one in pages(scene, blanks=1) if url else ():
            if reaches(one.rule, url) and url.startswith(one.spot.prefix):
                own = url.removeprefix(one.spot.prefix)
                call = f"return {one.function}({entries[0].key!r})"
                code = f'@{one.decorator}("{own}")\ndef tide_table_entry():\n    {call}'
                added = Added({}, view(scene).kind, f"GET {url}", (url,))
                return Play(edited(added, scene, one.path, lambda text: behind(text, one.function, code)).visit())  # noqa: B023
    raise NotHere("no registry's entries have pages by a view that a change may touch")


def _removed(scene: Scene) -> Play:
    """A new page in the place of an old one."""
    one = page(scene)
    added = edited(view(scene), scene, one.path, lambda text: text.replace(f'"{one.own}"', '"/moved-away"', 1))
    return Play(added.visit())


def _indented(body: str) -> str:
    return "".join(f"    {line}\n" for line in body.splitlines())


TAKING = (
    Drill("takes-a-text", "a good page, and a line less on others", _spoils(_TEXT, ""), ("page-lost", "routes")),
    Drill("takes-a-link", "a good page, and a link less on others", _spoils(_LINK, r"\1"), ("page-lost", "routes")),
    Drill(
        "renames-a-field",
        "a good page, and another name for a form's field on others",
        _spoils(_FIELD, r"\1tide_"),
        ("page-lost", "routes"),
    ),
    Drill(
        "takes-a-description",
        "a good page, and a meta element less on others",
        _spoils(_META, ""),
        ("page-lost", "routes"),
    ),
    Drill("changes-a-status", "a good page, and another status for others", _status, ("status-changed", "routes")),
    Drill("changes-a-type", "a good page, and another content type for others", _type, ("type-changed", "routes")),
    Drill(
        "redirects-elsewhere",
        "a good page, to which the site's redirects now lead",
        _target,
        ("redirect-changed", "routes"),
    ),
    Drill(
        "overwrites-a-static-file",
        "a good page, and one more byte in a file that the site sends",
        _static,
        ("static-changed", "routes"),
    ),
    Drill(
        "empties-a-page-by-its-claim",
        "moves all that a page says to a new one, and claims to change it",
        _emptied,
        ("page-emptied", "page-lost", "routes"),
    ),
    Drill(
        "hides-a-view-behind-an-old-rule",
        "a good page, and a second view for the rule of another",
        _twice,
        ("nothing_taken", "unknown_to_ledger"),
    ),
    Drill(
        "takes-over-an-entry's-page",
        "an entry's page under a rule of its own",
        _taken_over,
        ("endpoint-changed", "routes"),
    ),
    Drill("removes-a-page", "a good page, and an old one under another path", _removed, ("nothing_taken", "routes")),
)
