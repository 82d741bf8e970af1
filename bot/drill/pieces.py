"""Where a module of the site spells out the entries of a registry."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.frozen import frozen
from bot.sources.module import Home, assignments, is_name
from guards.python import parse

FOLLOWED = 8
_ADDS = ("append", "add", "insert")


@frozen
class Piece:
    """One entry in the source: its key, if a mapping gives it one, its value, and what is repeated as a whole."""

    key: ast.expr | None
    value: ast.expr
    whole: tuple[ast.AST, ast.AST]


def home(scene: Scene, module: str, name: str) -> tuple[str, str]:
    """The file that assigns the name, followed through imports, and what it is called there. Raises NotHere."""
    for _ in range(FOLLOWED):
        path = next((one for one in _paths(scene.settings.site.path, module) if one in scene.entries), None)
        if path is None:
            break
        package = module if path.endswith("/__init__.py") else module.rpartition(".")[0]
        here = Home(module, package, tuple(parse(scene.text(path)).body))
        origin = here.origin(name)
        if origin is None:
            return path, name
        module, name = origin
    raise NotHere(f"the module that spells out {name} is not in the tree")


def _paths(folders: Sequence[str], module: str) -> Iterator[str]:
    for folder in folders:
        stem = "/".join(part for part in f"{folder}/{module.replace('.', '/')}".split("/") if part not in ("", "."))
        yield from (f"{stem}/__init__.py", f"{stem}.py")


def pieces(tree: ast.Module, name: str) -> Iterator[Piece]:
    """The entries that the module spells out under the name, in its order."""
    for node in tree.body:
        for target, value in assignments(node):
            if is_name(target, name):
                yield from _inside(value)
            elif isinstance(target, ast.Subscript) and is_name(target.value, name):
                yield Piece(target.slice, value, (node, node))
        if isinstance(node, ast.AugAssign) and is_name(node.target, name):
            yield from _inside(node.value)
        call = node.value if isinstance(node, ast.Expr) else None
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and is_name(call.func.value, name):
            if call.func.attr in _ADDS and call.args:
                yield Piece(None, call.args[-1], (node, node))
            elif call.args:
                yield from _inside(call.args[0])


def _inside(node: ast.expr) -> Iterator[Piece]:
    match node:
        case ast.List() | ast.Tuple() | ast.Set():
            yield from (Piece(None, one, (one, one)) for one in node.elts if not isinstance(one, ast.Starred))
        case ast.Dict():
            pairs = zip(node.keys, node.values, strict=True)
            yield from (Piece(key, value, (key, value)) for key, value in pairs if key is not None)
        case ast.BinOp():
            yield from _inside(node.left)
            yield from _inside(node.right)
        case ast.Call() if node.args:
            yield from _inside(node.args[0])
