"""Guard: added code does not hide errors, reach out of the site, look around in the process or unescape pages.

It keeps honest code narrow and names what a reviewer must see; code that is written to deceive can still look
harmless, which is why the sandbox and the gates never depend on it. Names are followed through imports and plain
assignments, not through computed attribute names.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator

from bot.model import Objection
from guards import jinja, python, reach
from guards.facts import Facts
from guards.fresh import Found, fresh, objection
from guards.languages import is_python, is_template, is_test
from guards.settings_read import settings_read
from guards.visitors_word import visitors_word

_NEAR = 200  # characters
TEMPLATE = {
    reach.SAFE: r"\|\s*safe\b",
    reach.ESCAPING: r"\bautoescape\s*+=?+\s*+(?:false|none|0)\b",
    reach.MARKUP: r"\bMarkup\b",
    reach.PROCESS: r"__\w+__|\.\s*(?:mro|gi_frame|cr_frame)\b|\|\s*attr\b",
    reach.VISITOR: r"\brequest\s*\.\s*(?:user_agent|headers|method|remote_addr|access_route|referrer)\b",
    reach.SETTINGS: r"(?<![.\w])config\s*(?:[.\[|]|\}\})|\benviron\b",
}


def static_rules(facts: Facts) -> Iterator[Objection]:
    """Objects to new error handlers, request hooks, process and network modules, frame walking, `eval` and the like.

    Also to network clients, threads and changes of files outside tests, to other values for what is Flask's own, to
    reads of the environment and of secret settings, `Markup`, `|safe` and `autoescape false`, and to Python that cannot
    be parsed.
    """
    for path, (old, new) in facts.files.items():
        if is_python(path) and new != old and python.parsed(new) is None:  # no rule reads what is new in it
            what = "this cannot be parsed, so that nobody can tell what it does"
            accept = "Python {}.{} that parses: Plusone reads with its own".format(*sys.version_info)
            yield Objection("python-unreadable", "guards", path, path, what, "", accept)
    for path, found in fresh(facts, _found):
        yield objection("static-rule", path, found, f"added code brings {found.kind}", reach.ACCEPT[found.kind])


def _found(path: str, text: str) -> Iterator[Found]:
    if is_template(path):
        for line, piece in jinja.code(text):
            for kind, shape in TEMPLATE.items():
                found = re.finditer(shape, piece, re.IGNORECASE)
                yield from (Found(kind, _around(one), line) for one in found)
    tree = python.parsed(text) if is_python(path) else None
    if tree is not None:
        names, uses, answers = python.Names(tree), _uses(tree), _answers(tree)
        for node in ast.walk(tree):
            for kind, said in _kinds(node, names) if node not in answers else ():
                if kind and not (kind in reach.TESTING and is_test(path)):
                    yield Found(kind, said or _text(uses.get(node, node)), getattr(node, "lineno", 1))
        for node in settings_read(tree):
            yield Found(reach.SETTINGS, _text(uses.get(node, node)), getattr(node, "lineno", 1))
        for call in visitors_word(tree, names):
            yield Found(reach.PLACE, _text(call), call.lineno)


def _around(found: re.Match[str]) -> str:
    """The piece of code that it stands in; of a long one, which may hold any number of them, what is near."""
    near = slice(max(0, found.start() - _NEAR), found.end() + _NEAR)
    return found.string if len(found.string) <= 2 * _NEAR else found.string[near]


def _answers(tree: ast.Module) -> set[ast.AST]:
    """Where an answer is made by the application's own class, which is called at once, by no other name: no hook."""
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    made = (one for one in called if isinstance(one, ast.Attribute) and one.attr == "response_class")
    return {one for one in made if isinstance(one.value, ast.Name) and one.value.id in ("app", "current_app")}


def _uses(tree: ast.Module) -> dict[ast.AST, ast.AST]:
    """The call or subscript in which a name or attribute is used, so that `os.environ["A"]` is told from `["B"]`."""
    found: dict[ast.AST, ast.AST] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found[node.func] = node
        elif isinstance(node, ast.Subscript | ast.Attribute):
            found[node.value] = node
    return {inner: found.get(outer, outer) for inner, outer in found.items()}


def _kinds(node: ast.AST, names: python.Names) -> Iterator[tuple[str, str]]:
    """The kind of each thing that the node does, empty where it is none, and its text if that is not the node's own."""
    if isinstance(node, ast.Import):
        yield from ((reach.module(alias.name), f"import {alias.name}") for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        for alias in node.names:
            said = f"from {node.module} import {alias.name}"
            yield (
                reach.module(f"{node.module}.{alias.name}")
                or reach.attribute(alias.name)
                or reach.path(f"{node.module}.{alias.name}"),
                said,
            )
    elif isinstance(node, ast.Attribute):
        written = reach.patched(names.path(node) or node.attr) if isinstance(node.ctx, ast.Store | ast.Del) else ""
        yield reach.attribute(node.attr) or reach.path(names.path(node)) or written, ""
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield reach.text(node.value), ""
    elif isinstance(node, ast.Name):
        yield reach.path(names.path(node)), ""
    elif isinstance(node, ast.ClassDef):
        methods = [one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]
        yield from ((reach.HOOK, f"def {name}") for name in methods if name in reach.OVERRIDES)
    elif isinstance(node, ast.Call):
        yield from _call(node, names)


def _call(node: ast.Call, names: python.Names) -> Iterator[tuple[str, str]]:
    """Attributes by a written name are attributes; by a name that is made up on the way they may be any."""
    if node.args and names.path(node.func).endswith(("setattr", "__setattr__", "delattr", "__delattr__")):
        yield reach.framework(names.path(node.args[0])), _text(node)
    if names.path(node.func).removeprefix("operator.") in ("getattr", "attrgetter", "setattr", "hasattr"):
        for one in node.args:
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                owner = names.path(node.args[0])
                name = f"{owner}.{one.value}"
                written = reach.patched(name) if names.path(node.func).endswith("setattr") else ""
                yield reach.attribute(one.value) or reach.path(name) or written, _text(node)
    if getattr(node.func, "attr", getattr(node.func, "id", "")) == "open":
        given = (*node.args[:2], *(one.value for one in node.keywords if one.arg == "mode"))
        modes = [one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        yield next(filter(None, map(reach.mode, modes)), ""), _text(node)
    for keyword in node.keywords:
        if keyword.arg == "autoescape" and isinstance(keyword.value, ast.Constant) and not keyword.value.value:
            yield reach.ESCAPING, ""


def _text(node: ast.AST) -> str:
    try:
        return ast.unparse(node)
    except RecursionError:
        return type(node).__name__
