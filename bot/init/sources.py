"""The site's Python files, parsed and never run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from pathlib import PurePosixPath

from bot.frozen import frozen
from bot.init.repository import Checkout

_NOT_THE_SITE = {"tests", "test", "docs", "doc", "migrations", "examples", "scripts", "node_modules", "benchmarks"}
_MOST = 3000


@frozen
class Module:
    """One file. `root` is the folder that it is imported from, `name` its dotted name there."""

    path: str
    root: str
    name: str
    tree: ast.Module

    @property
    def word(self) -> str:
        """The last part of its name."""
        return self.name.rpartition(".")[2]


def modules(checkout: Checkout) -> tuple[Module, ...]:
    """Every tracked module that may belong to the site, the shallowest first; what does not parse is left out."""
    packages = {str(PurePosixPath(path).parent) for path in checkout.files if path.endswith("/__init__.py")}
    paths = sorted(
        (path for path in checkout.below(".py") if _of_the_site(path)), key=lambda path: (path.count("/"), path)
    )
    return tuple(module for path in paths[:_MOST] if (module := _module(path, packages, checkout)))


def _of_the_site(path: str) -> bool:
    parts = PurePosixPath(path).parts
    name = parts[-1]
    odd = name.startswith("test_") or name in ("setup.py", "conftest.py", "noxfile.py") or name.endswith("_test.py")
    return not odd and not any(part in _NOT_THE_SITE or part.startswith(".") for part in parts[:-1])


def _module(path: str, packages: set[str], checkout: Checkout) -> Module | None:
    place = PurePosixPath(path)
    root = place.parent
    while str(root) in packages:
        root = root.parent
    inside = place.relative_to(root).with_suffix("").parts
    names = inside[:-1] if inside[-1] == "__init__" else inside
    if not names or not all(name.isidentifier() and name.isascii() for name in names):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(checkout.text(path), path)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return Module(path, str(root), ".".join(names), tree)


def assignments(module: Module) -> Iterator[tuple[str, ast.expr]]:
    """Each name that the module sets outside its functions and classes, with its value."""
    for node in _outside([*module.tree.body]):
        if isinstance(node, ast.Assign):
            yield from ((one.id, node.value) for one in node.targets if isinstance(one, ast.Name))
        elif isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
            yield node.target.id, node.value


def _outside(body: list[ast.AST]) -> Iterator[ast.AST]:
    """The statements, also inside `if`, `with`, `try` and loops, in the order of the source."""
    for node in body:
        yield node
        if isinstance(node, ast.If | ast.With | ast.Try | ast.For | ast.While | ast.ExceptHandler):
            for part in ("body", "handlers", "orelse", "finalbody"):
                yield from _outside(getattr(node, part, []))


def functions(module: Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every function, also inside others."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def called(node: ast.expr) -> str:
    """The last word of what is called; empty where it is no call of a name."""
    if not isinstance(node, ast.Call):
        return ""
    return node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")


def text(node: ast.expr | None) -> str:
    """A constant text; empty for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def keyword(call: ast.Call, name: str) -> ast.expr | None:
    """The argument of that name, if it is given."""
    return next((one.value for one in call.keywords if one.arg == name), None)


def reached(first: Module, modules: tuple[Module, ...]) -> tuple[Module, ...]:
    """The module and all of the site that it imports, however far, in the order in which they are met."""
    named = {module.name: module for module in modules if module.root == first.root}
    found, waiting = {first.name: first}, [first]
    while waiting:
        for name in _imported(waiting.pop(0)):
            parts = name.split(".")
            for known in (".".join(parts[:count]) for count in range(1, len(parts) + 1)):
                if known in named and known not in found:
                    found[known] = named[known]
                    waiting.append(named[known])
    return tuple(found.values())


def _imported(module: Module) -> Iterator[str]:
    """Dotted names that the module may import; the last part may be no module."""
    package = module.name if module.path.endswith("/__init__.py") else module.name.rpartition(".")[0]
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - max(0, node.level - 1)] if node.level else []
            base = ".".join([*above, *([node.module] if node.module else [])])
            yield from (f"{base}.{one.name}".strip(".") for one in node.names)
