"""Stand-alone, beside serve.py: loads the site's application from the tree, and tells where an exception rose."""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import inspect
import os
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any


class Fresh(importlib.machinery.SourceFileLoader):
    """Compiles from source each time: a compiled file in the tree may be older than its source, or forged."""

    def get_code(self, fullname: str) -> Any:
        """The module's code, from its source alone."""
        path = self.get_filename(fullname)
        return self.source_to_code(self.get_data(path), path)


def fresh(root: str) -> Any:
    """A path hook for the folders of the tree; installed packages are loaded as ever, compiled files included."""
    extensions = (importlib.machinery.ExtensionFileLoader, importlib.machinery.EXTENSION_SUFFIXES)

    def finder(folder: str) -> Any:
        if os.path.realpath(folder) != root and not inside(folder, root):
            raise ImportError("not a folder of the tree")
        return importlib.machinery.FileFinder(folder, extensions, (Fresh, importlib.machinery.SOURCE_SUFFIXES))

    return finder


def load(name: str, folders: list[str], root: str) -> Any:
    """The site's application. The site's folders come after the standard library and before installed packages."""
    installed = [place for place, entry in enumerate(sys.path) if "site-packages" in entry or "dist-packages" in entry]
    where = min(installed) if installed else len(sys.path)
    sys.path_hooks.insert(0, fresh(root))
    sys.path[where:where] = [os.path.realpath(Path(root, folder)) for folder in folders]
    module_name, _, attribute = name.partition(":")
    if module_name.endswith(".py") or "/" in module_name:
        module_name = by_path(module_name, root, where)
    module = importlib.import_module(module_name)
    file = os.path.realpath(getattr(module, "__file__", None) or "")
    if not file.startswith(root + os.sep):
        raise ImportError(f"module {module_name} was loaded from {file or 'nowhere'}, which is not in the tree")
    return named(module, attribute.strip()) if attribute else found(module)


def by_path(path: str, root: str, where: int) -> str:
    """The module's name for a path such as `src/app.py`, with its top folder made importable."""
    place = Path(os.path.realpath(Path(root, path[:-3] if path.endswith(".py") else path)))
    folder, parts = place.parent, [place.name]
    while (folder / "__init__.py").exists():
        parts.insert(0, folder.name)
        folder = folder.parent
    sys.path.insert(where, str(folder))
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def named(module: ModuleType, expression: str) -> Any:
    """What `module:expression` means: an attribute, or a call of a factory with literal arguments."""
    node = ast.parse(expression, mode="eval").body
    arguments: list[Any] = []
    keywords: dict[str, Any] = {}
    call = isinstance(node, ast.Call)
    if isinstance(node, ast.Call):
        arguments = [ast.literal_eval(one) for one in node.args]
        keywords = {str(one.arg): ast.literal_eval(one.value) for one in node.keywords}
        node = node.func
    value: Any = module
    for part in ast.unparse(node).split("."):
        value = getattr(value, part)
    return value(*arguments, **keywords) if call or inspect.isroutine(value) else value


def found(module: ModuleType) -> Any:
    """The application of a module that names none: `app`, `application`, any other one, or a factory's."""
    from flask import Flask

    for name in ("app", "application"):
        if isinstance(getattr(module, name, None), Flask):
            return getattr(module, name)
    apps = [value for value in vars(module).values() if isinstance(value, Flask)]
    if len(apps) == 1:
        return apps[0]
    for name in ("create_app", "make_app"):
        if inspect.isfunction(getattr(module, name, None)):
            return getattr(module, name)()
    raise LookupError(f"no Flask application and no factory in module {module.__name__}")


def statics(app: Any, root: str) -> Iterator[tuple[str, str]]:
    """Each rule that sends files, and the folder of the tree that they lie in, told by the view and not by its name."""
    for rule in app.url_map.iter_rules():
        view = app.view_functions.get(rule.endpoint)
        sends = getattr(view, "__module__", "").split(".")[0] == "flask" and "<path:filename>" in rule.rule
        folder = getattr(app.blueprints.get(rule.endpoint.rpartition(".")[0], app), "static_folder", None)
        if sends and folder and inside(folder, root):
            yield rule.rule, os.path.relpath(os.path.realpath(folder), root)


def origin(error: BaseException, root: str) -> dict[str, Any]:
    """Type, message and the innermost frame that lies in the tree."""
    frames = [one for one in traceback.extract_tb(error.__traceback__) if inside(one.filename, root)]
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else kind.__module__ + "." + kind.__qualname__
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
