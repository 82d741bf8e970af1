"""Tells what one site holds: run alone in the site's own interpreter, it reads a request and answers with one frame.

Standard library and Python 3.9 syntax only. What the site prints goes to standard error; what it raises is an answer.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import json
import os
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any

MOST = 200_000


def _file_of_ours(folder: str, name: str) -> ModuleType:
    """A file that is read by its place, for nothing of ours is on the path: the site may own a module of that name."""
    place = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), folder, name + ".py")
    spec = importlib.util.spec_from_file_location("plusone_" + name, place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LOADING, PLAIN = _file_of_ours("gates", "loading"), _file_of_ours("guards", "plain")
WIRING = _file_of_ours("guards", "wiring")


def main() -> None:
    """Answers once and ends the process at once, whatever threads and exit handlers the site left behind."""
    request = json.loads(sys.stdin.buffer.read())
    answer = os.dup(1)
    os.dup2(2, 1)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    root = os.path.realpath(request["root"])
    try:
        held = {"ok": True, **_holdings(request, root)}
    except BaseException as error:
        held = {"ok": False, "error": _failure(error, root)}
    frame = json.dumps(held).encode()
    with os.fdopen(answer, "wb") as stream:
        stream.write(struct.pack(">I", len(frame)) + frame)
    os._exit(0)


def _holdings(request: dict[str, Any], root: str) -> dict[str, Any]:
    os.chdir(root)
    sys.argv = [request["app"]]
    app = LOADING.load(request["app"], request["path"], root)
    app.test_request_context().push()  # never popped: lazy texts and registries may need it to the end
    registries = [{"name": one["name"], "entries": list(_entries(one, root))} for one in request["sources"]]
    rules = [_rule(app, rule, root) for rule in app.url_map.iter_rules() if not rule.build_only]
    return {"registries": registries, "rules": rules, "wiring": WIRING.wiring(app, root)}


def _entries(source: dict[str, str], root: str) -> Iterator[dict[str, str]]:
    where = f"registry {source['name']!r} ({source['object']})"
    for number, (own, value) in enumerate(_pairs(_registry(source["object"], root), where)):
        if number == MOST:
            raise LOADING.Unusable(f"{where} has more than {MOST} entries, or no end")
        try:
            key, content = PLAIN.entry(value, source["key"], own)
        except PLAIN.NoKey as error:
            shown = repr(value)[:80]
            raise LOADING.Unusable(f"{where} has {error}; correct the registry's key: {shown}") from None
        yield {"key": key, "content": content}


def _registry(spec: str, root: str) -> Any:
    """The living object; one that is called, or made bit by bit, as what it gives."""
    target, _, path = spec.partition(":")
    held: Any = LOADING.module(target, root)
    for name in path.split("."):
        if not hasattr(held, name):
            raise LOADING.Unusable(f"{spec} does not resolve: no {name!r} there; correct the registry's object")
        held = getattr(held, name)
    return held() if callable(held) and not isinstance(held, Iterable) else held


def _pairs(held: Any, where: str) -> Iterator[tuple[Any, Any]]:
    """Each entry, with the mapping's own key where it has one."""
    if isinstance(held, Mapping):
        yield from held.items()
    elif isinstance(held, Iterable) and not isinstance(held, (str, bytes, bytearray)) and not hasattr(held, "_fields"):
        for value in held:
            yield None, value
    else:
        what = type(held).__name__
        raise LOADING.Unusable(f"{where} is a {what}; it must be a list, a tuple or a mapping, or return one")


def _rule(app: Any, rule: Any, root: str) -> dict[str, Any]:
    view = app.view_functions.get(rule.endpoint)
    names = {kind: name for name, kind in reversed(list(app.url_map.converters.items()))}
    converters = getattr(rule, "_converters", {})
    return {
        "rule": rule.rule,
        "endpoint": rule.endpoint,
        "methods": sorted(rule.methods or ()),
        "arguments": sorted(rule.arguments),
        "defaults": sorted(rule.defaults or ()),
        "converters": {name: names.get(type(one), type(one).__name__) for name, one in converters.items()},
        "host": rule.host or rule.subdomain or "",
        "static": _sends_files(view),
        "module": _relative(_file(view), root),
    }


def _sends_files(view: Any) -> bool:
    """Told by the view, never by its name: Flask wraps its own in a lambda, a blueprint gives the method itself."""
    try:
        home, name = str(getattr(view, "__module__", "")), getattr(view, "__name__", "")
    except Exception:  # a view of the site's own making may raise anything when it is asked
        return False
    return home.split(".")[0] == "flask" and name in ("send_static_file", "<lambda>")


def _file(view: Any) -> str:
    try:
        while isinstance(view, functools.partial):
            view = view.func
        return inspect.getfile(getattr(view, "view_class", None) or inspect.unwrap(view))
    except Exception:  # most have none, and one of the site's own making may raise anything
        return ""


def _relative(path: str, root: str) -> str:
    path = os.path.realpath(os.path.join(root, path)) if path else ""
    return os.path.relpath(path, root) if path and LOADING.inside(path, root) else ""


def _failure(error: BaseException, root: str) -> dict[str, Any]:
    """The site's own words, and where in the tree they rose; of what does not fit, the advice alone."""
    told: dict[str, Any] = LOADING.origin(error, root)
    if isinstance(error, LOADING.Unusable):
        return {"type": "", "message": str(error), "file": "", "line": 0}
    return told


if __name__ == "__main__":
    main()
