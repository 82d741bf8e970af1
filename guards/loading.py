"""Loads a site's modules from the tree, and finds its application; read by the probe in the site's interpreter.

Standard library, the site's own Flask and Python 3.9 syntax only.
"""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import os
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any


class Unusable(Exception):
    """The site and its configuration do not fit; the text says what to do."""


class Installed(importlib.machinery.SourceFileLoader):
    """Loads an installed module, from the file that its installer compiled if that is there."""

    def get_code(self, fullname: str) -> Any:
        """The module's code."""
        kept, sys.pycache_prefix = sys.pycache_prefix, None
        try:
            return super().get_code(fullname)
        finally:
            sys.pycache_prefix = kept


def distrust(root: str) -> None:
    """From now on modules of the tree are compiled from their source, whatever compiled files lie beside it.

    A compiled file in the tree may be older than its source, or forged; one of an installed package lies where
    neither the agent nor the tree can reach.
    """
    kinds = importlib.machinery
    loaders: Any = [(kinds.ExtensionFileLoader, kinds.EXTENSION_SUFFIXES), (Installed, kinds.SOURCE_SUFFIXES)]

    def finder(folder: str) -> Any:
        if not Path(folder).is_dir() or inside(os.path.realpath(folder), root):
            raise ImportError("not a folder of installed modules")
        return kinds.FileFinder(folder, *loaders, (kinds.SourcelessFileLoader, kinds.BYTECODE_SUFFIXES))

    sys.pycache_prefix = os.devnull  # below it nothing is, and nothing can be made
    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.clear()


def extend_path(folders: Iterable[str], root: str) -> None:
    """After the standard library, which a site must not shadow; before site-packages, where an old copy may lie."""
    packages = (at for at, place in enumerate(sys.path) if place.endswith(("site-packages", "dist-packages")))
    places = [os.path.realpath(Path(root, folder)) for folder in folders]
    for place in places:
        if not inside(place, root):
            raise Unusable(f"site.path names {place}, which is not in the tree; give folders of the tree")
    at = next(packages, len(sys.path))
    sys.path[at:at] = places


def inside(path: str, root: str) -> bool:
    """Whether the path is the root or below it; both are free of links."""
    return path == root or path.startswith(root.rstrip(os.sep) + os.sep)


def load_app(spec: str, root: str) -> Any:
    """The application, found as `flask --app` finds it."""
    target, *rest = re.split(r":(?![\\/])", spec, maxsplit=1)
    module = load(_module_name(target, root), root)
    kind = importlib.import_module("flask").Flask  # the site's own
    app = _named(module, rest[0], kind) if rest and rest[0] else _best(module, kind)
    if not isinstance(app, kind):
        raise Unusable(f"{spec} gave a {type(app).__name__}, not a Flask application; set site.app as for flask --app")
    return app


def _module_name(target: str, root: str) -> str:
    if not (target.endswith(".py") or "/" in target):
        return target
    path = Path(root, target[:-3] if target.endswith(".py") else target).resolve()
    path = path.parent if path.name == "__init__" else path
    folder, name = path.parent, path.name
    while (folder / "__init__.py").exists():
        folder, name = folder.parent, folder.name + "." + name
    extend_path([str(folder)], root)
    return name


def load(name: str, root: str) -> ModuleType:
    """A module of the tree; one that an installation elsewhere put first is refused."""
    module = importlib.import_module(name)
    places = [module.__file__] if getattr(module, "__file__", None) else list(getattr(module, "__path__", []))
    if not places or not inside(os.path.realpath(places[0] or ""), root):
        where = places[0] if places else "nowhere on disk"
        raise Unusable(f"{name} was loaded from {where}, not from the tree; set site.path to the folder that holds it")
    return module


def _named(module: ModuleType, expression: str, kind: type) -> Any:
    try:
        node = ast.parse(expression.strip(), mode="eval").body
        call = node if isinstance(node, ast.Call) else None
        name = call.func if call else node
        if not isinstance(name, ast.Name):
            raise ValueError
        args = [ast.literal_eval(one) for one in call.args] if call else []
        named = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords} if call else {}
    except (SyntaxError, ValueError, TypeError):
        raise Unusable(f"{expression!r} is neither a name nor a call with plain values; correct site.app") from None
    if not hasattr(module, name.id):
        raise Unusable(f"{module.__name__} has no {name.id!r}; correct site.app")
    found = getattr(module, name.id)
    return found if isinstance(found, kind) and not call else _call(found, args, named)


def _call(found: Any, args: list[Any], named: dict[str, Any]) -> Any:
    return found(*args, **named) if callable(found) else found


def _best(module: ModuleType, kind: type) -> Any:
    for name in ("app", "application"):
        if isinstance(getattr(module, name, None), kind):
            return getattr(module, name)
    found = [value for value in vars(module).values() if isinstance(value, kind)]
    if len(found) == 1:
        return found[0]
    for name in ("create_app", "make_app"):
        if not found and callable(getattr(module, name, None)):
            return getattr(module, name)()
    what = "several Flask applications" if found else "no Flask application and no create_app"
    raise Unusable(f"{module.__name__} has {what}; name it in site.app, as in {module.__name__}:NAME")
