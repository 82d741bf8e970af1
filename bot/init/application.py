"""Finds the application as `flask --app` would, with more places to look at."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from bot.frozen import frozen
from bot.init.repository import Checkout
from bot.init.sources import Module, assignments, called

_FACTORIES = ("create_app", "make_app")
_NAMES = ("app", "application")
_LIKELY = ("wsgi", "app", "main", "application", "factory", "web", "server", "run", "site")
_WORD = re.compile(r"[A-Za-z_]\w*(?:\(.*\))?")
_SETTING = re.compile(r"^[^\S\n]*+(?:export\s+)?FLASK_APP\s*=\s*[\"']?([^\"'\s#]+)", re.MULTILINE)


@frozen
class Application:
    """The value of `site.app`, the folder it is imported from, and the module that holds it.

    `asks` are arguments that a factory wants and that only its owner knows.
    """

    app: str
    root: str
    module: Module
    asks: tuple[str, ...] = ()


def application(checkout: Checkout, modules: tuple[Module, ...]) -> Application | None:
    """The likeliest application, or None where none was found."""
    return _named(checkout, modules) or next(_candidates(modules), None) or next(_asking(modules), None)


def _named(checkout: Checkout, modules: tuple[Module, ...]) -> Application | None:
    """As `.flaskenv` says, where that can be followed."""
    found = _SETTING.search("\n".join(checkout.text(name) for name in (".flaskenv", ".env")))
    if not found:
        return None
    where, _, what = found[1].partition(":")
    where = where.removesuffix(".py").replace("/", ".").strip(".")
    for module in modules:
        if where in (module.name, f"{module.root.replace('/', '.')}.{module.name}"):
            held = what or next(_held(module), "")
            return Application(f"{module.name}:{held}", module.root, module) if _WORD.fullmatch(held) else None
    return None


def _candidates(modules: tuple[Module, ...]) -> Iterator[Application]:
    ranked = sorted(modules, key=_rank)
    for module in ranked:
        for held in _held(module):
            if held not in _FACTORIES or _can_be_called(held, modules):
                yield Application(f"{module.name}:{held}", module.root, module)


def _asking(modules: tuple[Module, ...]) -> Iterator[Application]:
    """Factories that want arguments."""
    for module in sorted(modules, key=_rank):
        for node in module.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name in _FACTORIES and (asks := _needed(node)):
                app = f"{module.name}:{node.name}({', '.join(asks)})"
                yield Application(app, module.root, module, asks)


def _rank(module: Module) -> tuple[int, int, str]:
    """A file that exists to be served comes first, then the usual names, then what lies shallow."""
    word = module.word
    usual = _LIKELY.index(word) if word in _LIKELY else len(_LIKELY)
    depth = module.name.count(".")
    return (0 if depth == 0 and word in ("wsgi", "app") else 1, usual + depth, module.path)


def _held(module: Module) -> Iterator[str]:
    """What in the module is, or makes, an application; applications first."""
    made = {name for name, value in assignments(module) if _makes(value)}
    imported = {
        one.asname or one.name for node in module.tree.body if isinstance(node, ast.ImportFrom) for one in node.names
    }
    yield from (name for name in _NAMES if name in made)
    yield from sorted(made - set(_NAMES))
    yield from (name for name in _FACTORIES if any(_is_factory(node, name) for node in module.tree.body))
    if module.word == "wsgi":
        yield from (name for name in (*_NAMES, *_FACTORIES) if name in imported)


def _makes(value: ast.expr) -> bool:
    return called(value) in _FACTORIES or called(value).endswith("Flask")


def _is_factory(node: ast.stmt, name: str) -> bool:
    """A function of that name which can be called without arguments."""
    return isinstance(node, ast.FunctionDef) and node.name == name and not _needed(node)


def _can_be_called(name: str, modules: tuple[Module, ...]) -> bool:
    """Whether one of that name can, or none is seen: what is imported may be written anywhere."""
    written = [node for module in modules for node in module.tree.body if getattr(node, "name", "") == name]
    return not written or any(_is_factory(node, name) for node in written)


def _needed(node: ast.FunctionDef) -> tuple[str, ...]:
    """The arguments without a default."""
    taken = node.args
    placed = [*taken.posonlyargs, *taken.args]
    named = [one for one, value in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if value is None]
    return tuple(one.arg for one in (*placed[: len(placed) - len(taken.defaults)], *named))
