"""The project's own modules as syntax trees, for the tests that hold its architecture."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("bot", "guards", "gates", "ledger")
STAND_ALONE = (
    *("bot/agents/editor.py", "gates/camera.py", "gates/hello.py", "gates/loading.py", "gates/serve.py"),
    *("guards/probe.py", "guards/wiring.py"),
)


@dataclass(frozen=True)
class Module:
    """One module: its path below the root, its dotted name, its text and tree."""

    path: str
    name: str
    text: str
    tree: ast.Module

    @property
    def stands_alone(self) -> bool:
        """It runs in the site's interpreter, outside the program."""
        return self.path in STAND_ALONE


@dataclass(frozen=True)
class Import:
    """One imported name and where it is imported; `top` means that importing the module imports it."""

    name: str
    line: int
    top: bool


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the program, the demo's site left out."""
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    kept = [path for path in paths if not path.is_relative_to(ROOT / "bot/demo/site")]
    return tuple(_module(path) for path in kept)


def imports(module: Module) -> Iterator[Import]:
    """Every import of the module, as full dotted names of modules where they are the program's own."""
    names = {other.name for other in modules()}
    late = _late(module.tree)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, node not in late)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module or ''}.{alias.name}"
                yield Import(whole if whole in names else node.module or "", node.lineno, node not in late)


def functions(module: Module) -> Iterator[tuple[ast.FunctionDef, int]]:
    """Every function with its length in lines, decorators and docstring left out."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert isinstance(node, ast.FunctionDef), f"{module.path}:{node.lineno}: nothing here is asynchronous"
            first = node.body[1] if ast.get_docstring(node) and len(node.body) > 1 else node.body[0]
            yield node, (node.end_lineno or 0) - first.lineno + 1


def _module(path: Path) -> Module:
    short = path.relative_to(ROOT)
    parts = short.with_suffix("").parts
    name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
    text = path.read_text(encoding="utf-8")
    return Module(short.as_posix(), name, text, ast.parse(text, str(short)))


def _late(tree: ast.Module) -> set[ast.AST]:
    """What does not run on import: bodies of functions, and what only the type checker reads."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        checking = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test)
        if checking or isinstance(node, ast.FunctionDef | ast.Lambda):
            found.update(ast.walk(node))
    return found
