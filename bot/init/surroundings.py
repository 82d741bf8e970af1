"""What stands around the source: the interpreter, catalogues, tool settings, tests, and what the site asks for."""

from __future__ import annotations

import ast
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from bot.frozen import frozen
from bot.init.repository import Checkout
from bot.init.sources import Module, assignments, called, keyword, text

_ENVIRONMENTS = (".venv", "venv", "env", ".env")
_MAPPINGS = ("babel.cfg", "babel.ini", "babel-mapping.ini")
_CATALOGUE = re.compile(r"(?:(.*)/)?([A-Za-z]{2,3}(?:_[A-Za-z]{2,4})?)/LC_MESSAGES/[^/]+\.po")
_LOCALE = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*")
_RUFF = ("ruff.toml", ".ruff.toml", "pyproject.toml")
_DATABASES = (".db", ".sqlite", ".sqlite3")
_DEFAULT = "BABEL_DEFAULT_LOCALE"


@frozen
class Catalogues:
    """The folder of catalogues, the locales in it with the source's own first, and the extractor's mapping file."""

    folder: str
    locales: tuple[str, ...]
    mapping: str


def interpreter(folder: Path) -> str:
    """The interpreter of an environment in the checkout; empty where there is none."""
    places = [f"{name}/bin/python" for name in _ENVIRONMENTS]
    return next((place for place in places if os.access(folder / place, os.X_OK)), "")


def catalogues(checkout: Checkout, modules: tuple[Module, ...]) -> Catalogues | None:
    """The folder with most catalogues; None where the site has none."""
    found = [match for path in checkout.below(".po") if (match := _CATALOGUE.fullmatch(path))]
    if not found:
        return None
    folder = Counter(match[1] or "." for match in found).most_common(1)[0][0]
    locales = sorted({match[2] for match in found if (match[1] or ".") == folder})
    source = next((one for one in _source_locales(modules) if _LOCALE.fullmatch(one)), "en")
    mapping = next((name for name in _MAPPINGS if name in checkout.files), "")
    return Catalogues(folder, (source, *(one for one in locales if one != source)), mapping)


def _source_locales(modules: tuple[Module, ...]) -> Iterator[str]:
    """The language that the source is written in, as Flask-Babel is told it."""
    for module in modules:
        yield from (text(value) for name, value in assignments(module) if name == _DEFAULT and text(value))
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Call) and (found := text(keyword(node, "default_locale"))):
                yield found
            elif isinstance(node, ast.Dict):
                pairs = zip(node.keys, node.values, strict=True)
                yield from (text(value) for key, value in pairs if text(key) == _DEFAULT and text(value))


def lint_settings(checkout: Checkout) -> str:
    """The file that configures ruff; empty where none does."""
    return next((name for name in _RUFF if name in checkout.files and _configures(name, checkout.text(name))), "")


def _configures(name: str, content: str) -> bool:
    return name != "pyproject.toml" or "[tool.ruff" in content


def tests(checkout: Checkout) -> str:
    """The folder of tests; empty where there is none."""
    folders = [PurePosixPath(path).parts[0] for path in checkout.below(".py") if "/" in path]
    return next((name for name in ("tests", "test") if name in folders), "")


def asked_of_environment(reached: tuple[Module, ...], modules: tuple[Module, ...]) -> tuple[str, ...]:
    """Variables that the application reads and that the source, there or elsewhere, cannot do without."""
    needed = {name for module in modules for name, must in _environment(module) if must}
    read = dict.fromkeys(name for module in reached for name, _ in _environment(module) if name in needed)
    return tuple(name for name in read if name.isidentifier() and name.isascii())


def _environment(module: Module) -> Iterator[tuple[str, bool]]:
    """Each variable that the module reads, and whether it fails without: `os.environ["NAME"]` does."""
    bare = any(
        isinstance(node, ast.ImportFrom) and node.module == "os" and any(one.name == "environ" for one in node.names)
        for node in module.tree.body
    )

    def is_environment(node: ast.expr) -> bool:
        if isinstance(node, ast.Name):  # a WSGI application gets an `environ` of its own
            return bare and node.id == "environ"
        return isinstance(node, ast.Attribute) and node.attr == "environ" and getattr(node.value, "id", "") == "os"

    for node in ast.walk(module.tree):
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and is_environment(node.value):
            yield text(node.slice), True
        elif isinstance(node, ast.Call) and node.args and called(node) in ("get", "getenv"):
            owner = node.func.value if isinstance(node.func, ast.Attribute) else None
            if called(node) == "getenv" or (owner is not None and is_environment(owner)):
                yield text(node.args[0]), False


def untracked(checkout: Checkout) -> tuple[str, ...]:
    """What the site may need and git does not hold: Flask's instance folder, and SQLite databases beside it."""
    tracked = {PurePosixPath(path).parts[0] for path in checkout.files}
    found = sorted(path.name for path in checkout.folder.iterdir() if path.suffix in _DATABASES and path.is_file())
    folder = ["instance/"] if (checkout.folder / "instance").is_dir() else []
    return tuple(name for name in (*folder, *found) if name.strip("/") not in tracked and name.isprintable())


def allowed(checkout: Checkout, module: Module, others: tuple[str, ...]) -> tuple[str, ...]:
    """What a change may touch: the application's package, or its file and what Flask keeps beside one; and `others`."""
    package = module.name.partition(".")[0]
    prefix = "" if module.root == "." else f"{module.root}/"
    folder = f"{prefix}{package}"
    if any(path.startswith(f"{folder}/") for path in checkout.files):
        own = [f"{folder}/**"]
    else:
        beside = (f"{prefix}templates", f"{prefix}static")
        own = [
            module.path,
            *(f"{one}/**" for one in beside if any(path.startswith(f"{one}/") for path in checkout.files)),
        ]
    rest = [
        one for one in others if not any(one.startswith(mine.removesuffix("**")) for mine in own if mine.endswith("**"))
    ]
    return tuple(dict.fromkeys((*own, *rest)))
