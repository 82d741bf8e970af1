"""One more view beside one that the site has: written into the same file, by the same decorator."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from functools import lru_cache

from bot.drill.added import Added
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.frozen import frozen
from bot.model import Rule
from guards.python import parse

PATH, NAME = "/tide-table-notes", "tide_table_notes"
PAGE = (
    "<!doctype html>\n<html lang='en'>\n<head><meta charset='utf-8'>\n<title>Notes on the table</title></head>\n"
    "<body>\n<h1>Notes on the table</h1>\n<p>Figures are rounded down to whole minutes.</p>\n</body>\n</html>\n"
)
_METHODS = ("get", "route")


@frozen
class Spot:
    """Where a view can be written: after line `line` of the file, `indent` blanks in, by `decorator`.

    `prefix` is what the site puts before the decorator's own path; `sibling` is the rule beside it.
    """

    path: str
    line: int
    indent: int
    decorator: str
    prefix: str
    sibling: Rule


def spots(scene: Scene) -> tuple[Spot, ...]:
    """All of them, one for each file and decorated object. The site's own order."""
    found = {(spot.path, spot.decorator): spot for rule in scene.holdings.rules for spot in _beside(scene, rule)}
    return tuple(found.values())


def spot(scene: Scene) -> Spot:
    """The first. Raises NotHere where there is none."""
    for one in spots(scene):
        return one
    raise NotHere("no view of the site stands in a file that a change may touch, under a decorator that names its path")


def view(scene: Scene, path: str = PATH, name: str = NAME, body: str = "", **claimed: str) -> Added:
    """One more page at that path; `body` is the text of the function below its `def`, for a page by default.

    Raises NotHere.
    """
    where = spot(scene)
    text = spliced(scene.text(where.path), where, function(where, path, name, body or returning(PAGE)))
    url = where.prefix + path
    key = f"GET {url}"
    return Added(
        {where.path: text}, scene.kind("url_map"), claimed.get("key", key), (url,), summary="Add a page of notes"
    )


def returning(text: str) -> str:
    """A function's body that gives the text, a line of source for each of its lines."""
    lines = [json.dumps(line, ensure_ascii=False) for line in text.splitlines(keepends=True)]
    return "\n".join(["return (", *(f"    {line}" for line in lines), ")"])


def function(where: Spot, path: str, name: str, body: str, decorator: str = "") -> str:
    """The decorated function, indented for the spot."""
    how = f"{decorator or where.decorator}({path!r})".replace("'", '"')
    lines = [f"@{how}", f"def {name}():", *(f"    {line}" for line in body.splitlines())]
    return "".join(f"{' ' * where.indent}{line}".rstrip() + "\n" for line in lines)


def spliced(text: str, where: Spot, code: str) -> str:
    """The file with the code after the spot's line."""
    lines = text.splitlines(keepends=True)
    gap = "\n" if where.indent else "\n\n"
    before, after = "".join(lines[: where.line]), "".join(lines[where.line :])
    return f"{before.rstrip(chr(10))}\n{gap}{code}{after}"


def _beside(scene: Scene, rule: Rule) -> Iterator[Spot]:
    """Where the rule's own view is decorated, if that can be told."""
    plain = not rule.static and not rule.arguments and not rule.host and "GET" in rule.methods
    if not plain or not rule.module.endswith(".py") or not scene.allowed(rule.module):
        return
    for node in _functions(scene.content(rule.module)):
        if node.name == rule.endpoint.rpartition(".")[2]:
            for one in node.decorator_list:
                if (own := _path(one)) and rule.rule.endswith(own):
                    assert isinstance(one, ast.Call)
                    prefix, line = rule.rule.removesuffix(own), node.end_lineno or node.lineno
                    yield Spot(rule.module, line, node.col_offset, ast.unparse(one.func), prefix, rule)


@lru_cache(maxsize=64)
def _functions(content: bytes) -> tuple[ast.FunctionDef, ...]:
    """All of a module, none where it cannot be parsed."""
    try:
        return tuple(one for one in ast.walk(parse(content)) if isinstance(one, ast.FunctionDef))
    except (SyntaxError, ValueError):
        return ()


def _path(decorator: ast.expr) -> str:
    """The path that a decorator of a view names, empty for any other."""
    if not isinstance(decorator, ast.Call) or not isinstance(decorator.func, ast.Attribute):
        return ""
    first = decorator.args[0] if decorator.args else None
    named = decorator.func.attr in _METHODS and isinstance(first, ast.Constant) and isinstance(first.value, str)
    return str(first.value) if named and isinstance(first, ast.Constant) else ""
