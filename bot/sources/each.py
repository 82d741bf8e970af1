"""What a comprehension does with each entry, and what an entry's own source says of it."""

from __future__ import annotations

import ast

from bot.sources.module import is_name


def takes_all(one: ast.comprehension, each: str) -> bool:
    """Whether a comprehension over it takes each entry as it is."""
    return is_name(one.target, each) and not one.ifs and not one.is_async


def told(node: ast.expr, key: ast.expr, each: str) -> object:
    """What the entry itself says under the name by which a comprehension keys it, as `each.slug` or `each["slug"]`."""
    match key:
        case ast.Attribute(value=ast.Name(id=name), attr=field) if name == each:
            found = constant(node, field)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(field))) if name == each:
            found = constant(node, field)
        case _:
            found = None
    return found.value if found else None


def constant(node: ast.expr, field: str) -> ast.Constant | None:
    """The literal that a mapping or a call gives under that name."""
    pairs: list[tuple[object, ast.expr]] = []
    if isinstance(node, ast.Call):
        pairs = [(one.arg, one.value) for one in node.keywords]
    elif isinstance(node, ast.Dict):
        keys = [one.value if isinstance(one, ast.Constant) else None for one in node.keys]
        pairs = list(zip(keys, node.values, strict=True))
    values = [value for name, value in pairs if name == field]
    return values[-1] if values and isinstance(values[-1], ast.Constant) else None
