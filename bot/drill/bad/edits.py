"""What bad builders know of the site's own pages: where view and template stand, and how a piece is exchanged."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from bot.drill.added import Added
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.drill.view import PAGE, Spot, returning
from bot.frozen import frozen
from bot.model import Rule
from gates.rules import asked, harms
from guards.python import parse

PAGES = 3  # how many pages a drill spoils: one of them may be broken, or shown to users only, already
_RENDERS = re.compile(r"(?:flask\.)?render_template")
_EXTENDS = re.compile(r"\{%-?\s*extends\s+[\"']([^\"']+)[\"']")
_OPENS, _CLOSES = (
    re.compile(r"\{%-?\s*(?:if|for|macro|call|filter)\b"),
    re.compile(r"\{%-?\s*end(?:if|for|macro|call|filter)\b"),
)
_APART = re.compile(r"<!--.*?-->|\{#.*?#\}|<(script|style|template|noscript|head)\b.*?</\1>", re.DOTALL)
Edit = Callable[[str], str]


@frozen
class Known:
    """A page of the site that anybody can ask: its rule, the file of its view, the function, and its decorator."""

    rule: Rule
    path: str
    function: str
    decorator: str
    own: str

    @property
    def spot(self) -> Spot:
        """Where another view can be written beside it; the line is told by the text."""
        return Spot(self.path, 0, 0, self.decorator, self.rule.rule.removesuffix(self.own), self.rule)


def pages(scene: Scene, blanks: int = 0) -> tuple[Known, ...]:
    """Those whose views stand in files that a change may touch, their rules having that many blanks."""
    return tuple(one for rule in scene.holdings.rules for one in _known(scene, rule, blanks))


def page(scene: Scene) -> Known:
    """The first that has a path of its own. Raises NotHere."""
    for one in pages(scene):
        if any(map(str.isalpha, one.rule.rule)):
            return one
    raise NotHere("no page of the site is made by a view in a file that a change may touch")


def _known(scene: Scene, rule: Rule, blanks: int) -> Iterator[Known]:
    plain = asked(rule) and not rule.host and len(rule.arguments) == blanks
    if not plain or not rule.module.endswith(".py") or not scene.allowed(rule.module):
        return
    if harms(rule) and rule.rule not in scene.settings.gate.routes.allow:
        return
    view = function(scene.text(rule.module), rule.endpoint.rpartition(".")[2])
    for one in view.decorator_list if view else ():
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.args:
            own = one.args[0].value if isinstance(one.args[0], ast.Constant) else None
            if isinstance(own, str) and one.func.attr in ("get", "route") and rule.rule.endswith(own):
                assert view is not None
                yield Known(rule, rule.module, view.name, ast.unparse(one.func), own)
                return


def function(text: str, name: str) -> ast.FunctionDef | None:
    """The function of that name, wherever it is defined; None where the text cannot be parsed or has none."""
    try:
        found = ast.walk(parse(text))
    except SyntaxError:
        return None
    return next((node for node in found if isinstance(node, ast.FunctionDef) and node.name == name), None)


def answer(text: str, name: str) -> ast.expr | None:
    """What a function that decides nothing gives back."""
    found = function(text, name)
    nodes = list(ast.walk(found)) if found else []
    given = [node.value for node in nodes if isinstance(node, ast.Return) and node.value is not None]
    decides = any(isinstance(node, ast.If | ast.Try | ast.For | ast.While | ast.Lambda) for node in nodes)
    return given[0] if len(given) == 1 and not decides else None


def redirect(text: str, name: str) -> ast.expr | None:
    """Where the function's first redirect leads."""
    found = function(text, name)
    calls = (node for node in ast.walk(found) if isinstance(node, ast.Call) and node.args) if found else ()
    return next((one.args[0] for one in calls if ast.unparse(one.func) in ("redirect", "flask.redirect")), None)


def exchanged(text: str, node: ast.expr, new: str) -> str:
    """The text with other words for the node."""
    lines = text.encode().splitlines(keepends=True)
    starts = [sum(map(len, lines[:line])) for line in (node.lineno - 1, (node.end_lineno or node.lineno) - 1)]
    whole = text.encode()
    end = starts[1] + (node.end_col_offset or 0)
    return (whole[: starts[0] + node.col_offset] + new.encode() + whole[end:]).decode()


def behind(text: str, name: str, code: str) -> str:
    """The text with code behind that function, as deep as it stands; the code's own lines start at the left."""
    found = function(text, name)
    assert found is not None
    lines = text.splitlines(keepends=True)
    indent, end = " " * found.col_offset, found.end_lineno or found.lineno
    deep = "".join(f"{indent}{line}".rstrip() + "\n" for line in code.splitlines())
    gap = "\n" if indent else "\n\n"
    return "".join(lines[:end]).rstrip("\n") + f"\n{gap}{deep}" + "".join(lines[end:])


def edited(added: Added, scene: Scene, path: str, edit: Edit) -> Added:
    """The same, and a file of the site, as it is so far, edited. Raises NotHere where the edit changes nothing."""
    before = added.files.get(path) or scene.text(path)
    after = edit(before)
    if after == before:
        raise NotHere(f"{path} holds nothing of the kind")
    return added.with_file(path, after)


def templates(scene: Scene) -> tuple[str, ...]:
    """Every template that some page surely shows: those of views first, then those that they extend."""
    found = [_rendered(scene, one) for one in pages(scene)]
    for name in found:
        path = _template(scene, name) if name else ""
        above = _EXTENDS.search(scene.text(path)) if path else None
        if above and above[1] not in found:
            found.append(above[1])
    return tuple(dict.fromkeys(path for name in found if name and (path := _template(scene, name))))


def _rendered(scene: Scene, one: Known) -> str:
    given = answer(scene.text(one.path), one.function)
    if not isinstance(given, ast.Call) or not _RENDERS.fullmatch(ast.unparse(given.func)) or not given.args:
        return ""
    return str(given.args[0].value) if isinstance(given.args[0], ast.Constant) else ""


def _template(scene: Scene, name: str) -> str:
    return next((path for path in scene.files("") if f"/{path}".endswith(f"/templates/{name}")), "")


def spoilt(scene: Scene, added: Added, shape: re.Pattern[str], new: Callable[[re.Match[str]], str]) -> Added:
    """The same, and what the shape finds first exchanged in the templates of a few pages. Raises NotHere."""
    paths = [path for path in templates(scene) if _first(shape, scene.text(path))]
    if not paths:
        raise NotHere("no template that a page surely shows, and that a change may touch, holds anything of the kind")
    for path in paths[:PAGES]:
        found = _first(shape, scene.text(path))
        assert found is not None
        text = scene.text(path)
        added = added.with_file(path, text[: found.start()] + new(found) + text[found.end() :])
    return added


def _first(shape: re.Pattern[str], text: str) -> re.Match[str] | None:
    """The first that is shown whatever the values are."""
    apart = [found.span() for found in _APART.finditer(text)]
    for found in shape.finditer(text):
        before = text[: found.start()]
        deep = len(_OPENS.findall(before)) - len(_CLOSES.findall(before))
        inside = found[0][:5].lower() != "<meta" and any(start <= found.start() < end for start, end in apart)
        if not deep and not inside and not _OPENS.search(found[0]):
            return found
    return None


def showing(more: str, title: str = "Notes on the table") -> str:
    """The body of a view that gives a page with that in it."""
    return returning(PAGE.replace("Notes on the table", title).replace("</body>", f"{more}\n</body>"))
