"""Owns one module of the tree as a syntax tree: what its top level says of a name, and where an import leads."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from bot.frozen import frozen
from bot.sources.tree import Tree
from guards.python import parse

LARGEST = 8 * 1024**2


@frozen
class Home:
    """A parsed module; `package` is what its relative imports count from."""

    name: str
    package: str
    body: tuple[ast.stmt, ...]

    def origin(self, name: str) -> tuple[str, str] | None:
        """The module and the name that `from … import` took it from, or None where it was not imported so."""
        for node in self.body:
            for alias in node.names if isinstance(node, ast.ImportFrom) else ():
                if (alias.asname or alias.name) == name and isinstance(node, ast.ImportFrom):
                    return self._absolute(node), alias.name
        return None

    def value(self, name: str) -> ast.expr | None:
        """What the last plain assignment at the top level gives the name."""
        values = [value for node in self.body for target, value in assignments(node) if is_name(target, name)]
        return values[-1] if values else None

    def _absolute(self, node: ast.ImportFrom) -> str:
        package = self.package.split(".")
        above = package[: len(package) - node.level + 1] if node.level else []
        return ".".join(filter(None, [*above, node.module or ""]))


class Homes:
    """Modules found as the site finds them, in the folders of `site.path`; each is parsed once."""

    def __init__(self, tree: Tree, folders: Sequence[str]) -> None:
        self._tree, self._folders = tree, tuple(folders)
        self._parsed: dict[str, Home | None] = {}

    def find(self, name: str) -> Home | None:
        """The module, or None where the tree has none of that name that can be parsed."""
        if name not in self._parsed:
            self._parsed[name] = self._parse(name)
        return self._parsed[name]

    def _parse(self, name: str) -> Home | None:
        inner = name.replace(".", "/")
        for folder in self._folders:
            stem = "/".join(part for part in f"{folder}/{inner}".split("/") if part not in ("", "."))
            for path, package in ((f"{stem}/__init__.py", name), (f"{stem}.py", name.rpartition(".")[0])):
                if self._tree.holds(path):
                    return self._home(name, package, path)
        return None

    def _home(self, name: str, package: str, path: str) -> Home | None:
        content = self._tree.content(path)
        try:
            return Home(name, package, tuple(parse(content).body)) if len(content) <= LARGEST else None
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None  # the site's own import tells what is wrong with it


def assignments(node: ast.stmt) -> list[tuple[ast.expr, ast.expr]]:
    """What a statement assigns, as targets and values; nothing for any other statement."""
    if isinstance(node, ast.AnnAssign):
        return [(node.target, node.value)] if node.value else []
    return [(target, node.value) for target in node.targets] if isinstance(node, ast.Assign) else []


def is_name(node: ast.AST, name: str) -> bool:
    """Whether the node is that name and nothing else."""
    return isinstance(node, ast.Name) and node.id == name
