"""How an application is put together, as names that can be compared: its views, hooks, filters, classes and settings.

Read by the probe in the site's interpreter. It sees what was done, however it was written: an attribute that is set by
another way, a patch by `unittest.mock`, an edited table. Standard library and Python 3.9 syntax only.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

HOOKS = (
    *("before_request_funcs", "after_request_funcs", "teardown_request_funcs"),
    *("url_value_preprocessors", "url_default_functions"),
)
LISTS = ("teardown_appcontext_funcs", "url_build_error_handlers", "before_first_request_funcs")
KINDS = (
    *("session_interface", "json", "url_map", "config", "aborter", "request_class", "response_class", "jinja_env"),
    *("url_rule_class", "test_client_class", "json_provider_class"),
)
DEEPEST = 6
UNREAD = "what cannot be read"
SCALARS = (str, bytes, int, float, bool, type(None))


def wiring(app: Any, root: str) -> dict[str, str]:
    """By `kind name`, what stands there; settings as digests, never as values."""
    kinds = {"views": _views(app), "hooks": _hooks(app), "pages": _pages(app), "parts": _parts(app)}
    kinds.update(signals=_signals(), patches=_patches(root))
    told = (pair for kind, found in kinds.items() for pair in _whole(kind, found))
    return {_text(name): _text(value) for name, value in told}


def _whole(kind: str, found: Iterator[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """All of one kind; where the table itself breaks off, that is told too."""
    try:
        yield from found
    except BaseException:  # noqa: BLE001 - the site's own objects raise what they like
        yield f"unread {kind}", UNREAD


def _told(read: Callable[..., Any], *given: Any) -> str:
    """What reading one thing tells, or that it cannot be read: it takes no other with it."""
    try:
        return str(read(*given))
    except BaseException:  # noqa: BLE001 - as above
        return UNREAD


def _text(value: str) -> str:
    return value.encode("utf-8", "backslashreplace").decode()


def name(value: Any) -> str:
    """What it is called, where it was defined; of a thing without a name its type's; UNREAD where asking raises."""
    return _told(_name, value)


def _name(value: Any) -> str:
    while isinstance(value, functools.partial):
        value = value.func
    if isinstance(value, MethodType):
        return name(value.__func__)
    if isinstance(value, (FunctionType, type)):
        return f"{value.__module__}.{value.__qualname__}"
    return f"{type(value).__module__}.{type(value).__qualname__}()"


def _views(app: Any) -> Iterator[tuple[str, str]]:
    for endpoint, view in app.view_functions.items():
        yield f"view {endpoint}", _told(_view, view)
    for key, kind in app.url_map.converters.items():
        yield f"converter {key}", name(kind)


def _view(view: Any) -> str:
    return _name(getattr(view, "view_class", None) or view)


def _hooks(app: Any) -> Iterator[tuple[str, str]]:
    """Scope by scope in their order; a context processor by itself, for one more takes nothing."""
    for table in HOOKS:
        for scope, funcs in dict(getattr(app, table, {})).items():
            if funcs:
                yield "hook {} {}".format(scope or "", table), ", ".join(map(name, funcs))
    for table in LISTS:
        if getattr(app, table, ()):
            yield f"hook  {table}", ", ".join(map(name, getattr(app, table)))
    for scope, codes in dict(app.error_handler_spec).items():
        for code, handlers in codes.items():
            for kind, handler in handlers.items():
                yield "hook {} error {} {}".format(scope or "", code, kind.__name__), name(handler)
    for scope, funcs in dict(app.template_context_processors).items():
        yield from (("processor {} {}".format(scope or "", name(one)), "") for one in funcs)


def _pages(app: Any) -> Iterator[tuple[str, str]]:
    env = app.jinja_env
    for kind, table in (("filter", env.filters), ("test", env.tests), ("global", env.globals)):
        yield from ((f"{kind} {key}", name(value)) for key, value in table.items())
    yield "part jinja_env.loader", name(env.loader)
    yield "part jinja_env.undefined", name(env.undefined)
    yield from ((f"part jinja_env {key}", "") for key in env.extensions)
    autoescape = env.autoescape
    yield "part jinja_env.autoescape", str(autoescape) if isinstance(autoescape, bool) else name(autoescape)


def _parts(app: Any) -> Iterator[tuple[str, str]]:
    yield "part application", name(type(app))
    yield from ((f"part {one}", _told(_part, app, one)) for one in KINDS if _told(hasattr, app, one) != "False")
    yield from ((f"own {key}", name(value)) for key, value in vars(app).items() if callable(value))
    for key in ("strict_slashes", "merge_slashes", "redirect_defaults", "host_matching"):
        yield f"part url_map.{key}", str(getattr(app.url_map, key, ""))
    for key, value in app.config.items():
        yield f"setting {key}", _told(_digest, value)


def _part(app: Any, key: str) -> str:
    return _name(getattr(app, key))


def _digest(value: Any) -> str:
    return hashlib.sha256(_shown(value, 0).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def _shown(value: Any, depth: int) -> str:
    """Its content, in an order of its own: a mapping's keys may be of several kinds, and a list may hold itself."""
    if type(value) in SCALARS:
        return repr(value)
    if type(value) is dict and depth < DEEPEST:
        pairs = ((_shown(key, depth + 1), _shown(one, depth + 1)) for key, one in value.items())
        return "{{{}}}".format(", ".join(sorted(": ".join(pair) for pair in pairs)))
    if type(value) in (list, tuple) and depth < DEEPEST:
        return "[{}]".format(", ".join(_shown(one, depth + 1) for one in value))
    return name(value)


def _signals() -> Iterator[tuple[str, str]]:
    """Who is told of each request; a receiver that is gone is none."""
    for key, signal in vars(sys.modules.get("flask.signals", object)).items():
        held = getattr(signal, "receivers", None)
        if isinstance(held, Mapping) and held:
            living = (
                one() if type(one).__name__.endswith(("ref", "WeakMethod", "ReferenceType")) else one
                for one in held.values()
            )
            yield f"signal {key}", ", ".join(sorted(name(one) for one in living if one is not None))


def _patches(root: str) -> Iterator[tuple[str, str]]:
    """What the tree put into modules that do not lie in it, and into their classes."""
    for home, module in sorted(sys.modules.items()):
        if not issubclass(type(module), ModuleType) or home.startswith(("plusone_", "__main__", "unittest.mock")):
            continue
        if _inside(_file(module), root):
            continue
        for key, value in list(ModuleType.__getattribute__(module, "__dict__").items()):
            if _told(_foreign, value, root) != "False":  # what cannot be told may be
                yield f"patch {home}.{key}", name(value)
            elif issubclass(type(value), type) and type.__getattribute__(value, "__dict__").get("__module__") == home:
                for part, one in list(type.__getattribute__(value, "__dict__").items()):
                    if _told(_foreign, _bare(one), root) != "False":
                        yield f"patch {home}.{key}.{part}", name(_bare(one))


def _bare(value: Any) -> Any:
    """The function behind what a class holds."""
    if type(value) in (staticmethod, classmethod):
        return value.__func__
    return value.fget if type(value) is property else value


def _file(module: Any) -> str | None:
    """Where the module lies, by its own dictionary: a lazy one that is asked for an attribute may raise anything."""
    file = ModuleType.__getattribute__(module, "__dict__").get("__file__")
    return file if isinstance(file, str) else None


def _foreign(value: Any, root: str) -> bool:
    """Told by the type alone, for a proxy that is asked would ask what it stands for."""
    kind = type(value)
    if kind is FunctionType:
        return _inside(value.__code__.co_filename, root)
    if kind.__module__ == "unittest.mock":
        return True
    home = value.__module__ if issubclass(kind, type) else kind.__module__
    module = sys.modules.get(str(home))
    return issubclass(type(module), ModuleType) and _inside(_file(module), root)


@functools.cache
def _inside(file: str | None, root: str) -> bool:
    """Frozen and made-up code has names in place of paths, which lie nowhere."""
    return file is not None and file.startswith(os.sep) and os.path.realpath(file).startswith(root + os.sep)
