"""Stand-alone: loads a site's modules and application from the tree, and tells where an exception rose.

Read by serve.py, which lies beside it, and by the guards' probe: both see the site in the same way. Standard library,
the site's own Flask and Python 3.9 syntax only.
"""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any


class Unusable(Exception):
    """The site and its configuration do not fit; the text says what to do."""


class Fresh(importlib.machinery.SourceFileLoader):
    """Compiles from source each time: a compiled file in the tree may be older than its source, or forged."""

    def get_code(self, fullname: str) -> Any:
        """The module's code, from its source alone."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


class Installed(importlib.machinery.SourceFileLoader):
    """Loads an installed module, from the file that its installer compiled: neither agent nor tree reaches there."""

    def get_code(self, fullname: str) -> Any:
        """The module's code."""
        kept, sys.pycache_prefix = sys.pycache_prefix, None
        try:
            return super().get_code(fullname)
        finally:
            sys.pycache_prefix = kept


def distrust(root: str) -> None:
    """From now on modules of the tree come from their source, whatever compiled files lie there, however imported."""
    kinds = importlib.machinery
    extensions = (kinds.ExtensionFileLoader, kinds.EXTENSION_SUFFIXES)
    bytecode: Any = (kinds.SourcelessFileLoader, kinds.BYTECODE_SUFFIXES)

    def finder(folder: str) -> Any:
        if not os.path.isdir(folder):  # noqa: PTH112 - asked at each import
            raise ImportError("no folder")
        if os.path.realpath(folder) == root or inside(folder, root):
            return kinds.FileFinder(folder, extensions, (Fresh, kinds.SOURCE_SUFFIXES))
        return kinds.FileFinder(folder, extensions, (Installed, kinds.SOURCE_SUFFIXES), bytecode)

    sys.pycache_prefix = os.devnull  # below it nothing is, and nothing can be made
    sys.path_hooks.insert(0, finder)
    sys.path_importer_cache.clear()


def prepare(folders: Iterable[str], root: str) -> None:
    """Make the tree's folders importable: after the standard library, which a site must not shadow, and before
    installed packages, among which an old copy of the site may lie."""
    distrust(root)
    _extend(folders, root)


def _extend(folders: Iterable[str], root: str) -> None:
    places = [os.path.realpath(Path(root, folder)) for folder in folders]
    for place in places:
        if place != root and not inside(place, root):
            raise Unusable(f"site.path names {place}, which is not in the tree; give folders of the tree")
    installed = [at for at, entry in enumerate(sys.path) if "site-packages" in entry or "dist-packages" in entry]
    where = min(installed) if installed else len(sys.path)
    sys.path[where:where] = places


def load(spec: str, folders: Iterable[str], root: str) -> Any:
    """The site's application, found as `flask --app` finds it, with the tree's folders made importable."""
    prepare(folders, root)
    target, *rest = re.split(r":(?![\\/])", spec, maxsplit=1)
    if target.endswith(".py") or "/" in target:
        target = by_path(target, root)
    home, kind = module(target, root), importlib.import_module("flask").Flask  # the site's own
    app = named(home, rest[0].strip()) if rest and rest[0].strip() else found(home, kind)
    if not isinstance(app, kind):
        raise Unusable(f"{spec} gave a {type(app).__name__}, not a Flask application; set site.app as for flask --app")
    return app


def module(name: str, root: str) -> ModuleType:
    """A module of the tree; one that an installation elsewhere put first is refused."""
    loaded = importlib.import_module(name)
    places = [loaded.__file__] if getattr(loaded, "__file__", None) else list(getattr(loaded, "__path__", []))
    if not places or not inside(os.path.realpath(places[0] or ""), root):
        where = places[0] if places else "nowhere on disk"
        advice = "set site.path to the folder that holds it"
        raise Unusable(f"{name} was loaded from {where}, which is not in the tree; {advice}")
    return loaded


def by_path(path: str, root: str) -> str:
    """The module's name for a path such as `src/app.py`, with its top folder made importable."""
    place = Path(os.path.realpath(Path(root, path[:-3] if path.endswith(".py") else path)))
    place = place.parent if place.name == "__init__" else place
    folder, name = place.parent, place.name
    while (folder / "__init__.py").exists():
        folder, name = folder.parent, folder.name + "." + name
    _extend([str(folder)], root)
    return name


def named(home: ModuleType, expression: str) -> Any:
    """What `module:expression` means: an attribute, or a call of a factory with literal arguments."""
    try:
        node = ast.parse(expression, mode="eval").body
        call = node if isinstance(node, ast.Call) else None
        path = _dotted(call.func if call else node)
        args = [ast.literal_eval(one) for one in call.args] if call else []
        keywords = {str(one.arg): ast.literal_eval(one.value) for one in call.keywords} if call else {}
    except (SyntaxError, ValueError, TypeError):
        raise Unusable(f"{expression!r} is neither a name nor a call with plain values; correct site.app") from None
    value: Any = home
    for part in path:
        if not hasattr(value, part):
            raise Unusable(f"{home.__name__} has no {'.'.join(path)!r}; correct site.app")
        value = getattr(value, part)
    return value(*args, **keywords) if call or inspect.isroutine(value) else value


def _dotted(node: ast.expr) -> list[str]:
    if isinstance(node, ast.Attribute):
        return [*_dotted(node.value), node.attr]
    if isinstance(node, ast.Name):
        return [node.id]
    raise ValueError


def found(home: ModuleType, kind: type) -> Any:
    """The application of a module that names none: `app`, `application`, any other one, or a factory's."""
    for name in ("app", "application"):
        if isinstance(getattr(home, name, None), kind):
            return getattr(home, name)
    apps = [value for value in vars(home).values() if isinstance(value, kind)]
    if len(apps) == 1:
        return apps[0]
    for name in ("create_app", "make_app"):
        if not apps and callable(getattr(home, name, None)):
            return getattr(home, name)()
    what = "several Flask applications" if apps else "no Flask application and no create_app"
    raise Unusable(f"{home.__name__} has {what}; name it in site.app, as in {home.__name__}:NAME")


def origin(error: BaseException, root: str) -> dict[str, Any]:
    """Type, message and the innermost frame that lies in the tree."""
    named = [one for one in traceback.extract_tb(error.__traceback__) if one.filename[:1] != "<"]  # <frozen os>
    frames = [one for one in named if inside(one.filename, root)]
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ in ("builtins", __name__) else kind.__module__ + "." + kind.__qualname__
    file, line = (frames[-1].filename, frames[-1].lineno) if frames else ("", 0)
    if isinstance(error, SyntaxError) and error.filename and inside(error.filename, root):
        file, line = error.filename, error.lineno
    place = os.path.relpath(os.path.realpath(file), root) if file else ""
    return {"type": name, "message": words(error), "file": place, "line": line or 0}


def words(error: BaseException) -> str:
    """The error's own message, bounded; a message that cannot be made is none."""
    try:
        return str(error)[:500]
    except Exception:  # noqa: BLE001 - the site's own __str__ may raise anything
        return ""


def inside(file: str, root: str) -> bool:
    """Whether the file lies in the tree."""
    return os.path.realpath(file).startswith(root + os.sep)
