"""Where Python code reads the application's settings as a whole, or one of them that is a secret by its name."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from guards import reach

_WHOLE = frozenset({"items", "values", "copy", "__iter__", "__dict__", "__repr__", "__str__"})


def settings_read(tree: ast.AST) -> Iterator[ast.AST]:
    """Each place. A setting by a plain name, and settings that are given a value, are none."""
    inner = {id(node.value): node for node in ast.walk(tree) if isinstance(node, ast.Attribute | ast.Subscript)}
    called = {id(node.func): node for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        if _is_config(node) and isinstance(node.ctx, ast.Load):  # type: ignore[attr-defined]
            use = inner.get(id(node))
            key = _key(use, called)
            if use is None or (key is not None and reach.secret(key)):
                yield use or node
            elif isinstance(use, ast.Attribute) and use.attr in _WHOLE:
                yield use


def _is_config(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Attribute)
        and node.attr == "config"
        and isinstance(node.value, ast.Name | ast.Attribute)
        and ast.unparse(node.value).endswith("app")
    )


def _key(use: ast.AST | None, called: dict[int, ast.Call]) -> str | None:
    """The name of the one setting that is read; None where it is written or cannot be told."""
    if isinstance(use, ast.Subscript):
        return _text(use.slice) if isinstance(use.ctx, ast.Load) else None
    if isinstance(use, ast.Attribute) and use.attr in ("get", "pop") and id(use) in called:
        args = called[id(use)].args
        return _text(args[0]) if args else None
    return None


def _text(node: ast.AST) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None
