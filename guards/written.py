"""The keys that a module's source writes into a mapping: of two equal keys the living mapping keeps only the last.

The source is parsed, never run. Read by the probe in the site's interpreter: standard library, Python 3.9 syntax only.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any


def written(module: ModuleType, name: str, root: str) -> list[Any]:
    """Every key that the defining module's source writes into that mapping, as often as written."""
    for _ in range(8):
        path = getattr(module, "__file__", None) or ""
        if not path.endswith(".py") or not os.path.realpath(path).startswith(root + os.sep):
            return []
        body = ast.parse(Path(path).read_bytes()).body
        origin = _imported(body, name, module)
        if origin is None:
            return _keys(body, name, module)
        module, name = origin
    return []


def _imported(body: list[ast.stmt], name: str, module: ModuleType) -> tuple[ModuleType, str] | None:
    for node in body:
        for alias in node.names if isinstance(node, ast.ImportFrom) else []:
            if (alias.asname or alias.name) == name and isinstance(node, ast.ImportFrom):
                package = module.__package__ or ""
                full = importlib.util.resolve_name("." * node.level + (node.module or ""), package)
                return (sys.modules[full], alias.name) if full in sys.modules else None
    return None


def _keys(body: list[ast.stmt], name: str, module: ModuleType) -> list[Any]:
    keys: list[Any] = []
    for node in body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if _is(target, name):
                    again = any(_is(one, name) for one in ast.walk(node.value)) if node.value else False
                    keys = (keys if again else []) + list(_literal(node.value, name, module))
                elif isinstance(target, ast.Subscript) and _is(target.value, name):
                    keys += [target.slice.value] if isinstance(target.slice, ast.Constant) else []
        elif isinstance(node, ast.AugAssign) and _is(node.target, name):
            keys += _literal(node.value, name, module)
        elif isinstance(node, ast.Expr):
            keys += _updated(node.value, name, module)
    return keys


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _updated(call: ast.expr, name: str, module: ModuleType) -> Iterator[Any]:
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and _is(call.func.value, name)):
        return
    if call.func.attr == "update":
        for argument in call.args:
            yield from _literal(argument, name, module)
        yield from (keyword.arg for keyword in call.keywords if keyword.arg)


def _literal(value: ast.expr | None, name: str, module: ModuleType) -> Iterator[Any]:
    """The keys of a display, of what it unpacks and of unions; another mapping's are read from the live module."""
    if isinstance(value, ast.Name) and value.id != name:
        held = getattr(module, value.id, None)
        yield from held if isinstance(held, Mapping) else ()
    elif isinstance(value, ast.BinOp) and isinstance(value.op, ast.BitOr):
        yield from _literal(value.left, name, module)
        yield from _literal(value.right, name, module)
    elif isinstance(value, ast.Dict):
        for key, item in zip(value.keys, value.values):  # noqa: B905 - Python 3.9 has no strict
            if isinstance(key, ast.Constant):
                yield key.value
            elif key is None:
                yield from _literal(item, name, module)
