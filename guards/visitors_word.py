"""Where Python code takes what a visitor sent for a place: a file to open or send, a template, or where to go next."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from guards.python import Names

_PLACES = frozenset(
    {"open", "send_file", "redirect", "render_template", "get_template", "Path", "read_text", "listdir"}
)
_SENT = frozenset({"args", "form", "values", "json", "get_json", "cookies", "headers", "data", "get_data"})
_CHECKED = frozenset({"url_for", "safe_join", "secure_filename", "int", "len", "bool", "find"})


def visitors_word(tree: ast.AST, names: Names) -> Iterator[ast.Call]:
    """Each call. What goes through `url_for` and the like is no place of a visitor's; names are followed one step."""
    held = {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _sent(node.value, names, frozenset())
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _name(node) in _PLACES:
            first = [*node.args[:1], *(one.value for one in node.keywords if one.arg in ("location", "file", "path"))]
            if any(_sent(one, names, held) for one in first):
                yield node


def _sent(node: ast.AST, names: Names, held: frozenset[str] | set[str]) -> bool:
    """Whether it is made of what was sent, and not looked up by it."""
    if (
        isinstance(node, ast.Attribute)
        and node.attr in _SENT
        and names.path(node.value) in ("flask.request", "request")
    ):
        return True
    if isinstance(node, ast.Name):
        return node.id in held
    if isinstance(node, ast.Call):
        if _name(node) in _CHECKED:
            return False
        own = isinstance(node.func, ast.Name)  # a function of the site's own may look it up
        return not (own and _name(node) not in _PLACES | {"str"}) and any(
            _sent(one, names, held) for one in (node.func, *node.args)
        )
    if isinstance(node, ast.Subscript):
        return _sent(node.value, names, held)
    if isinstance(node, ast.IfExp):
        return _sent(node.body, names, held) or _sent(node.orelse, names, held)
    if isinstance(node, ast.Compare):
        return False
    return any(_sent(one, names, held) for one in ast.iter_child_nodes(node))


def _name(node: ast.Call) -> str:
    return str(getattr(node.func, "attr", getattr(node.func, "id", "")))
