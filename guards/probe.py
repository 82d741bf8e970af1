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
from collections import Counter
from collections.abc import Iterator, Mapping
from types import ModuleType, TracebackType
from typing import Any


def _beside(name: str) -> ModuleType:
    """A file of this folder, which is not on the path: the site may own a module of the same name."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), name + ".py")
    spec = importlib.util.spec_from_file_location("plusone_" + name, place)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LOADING, PLAIN, WRITTEN = _beside("loading"), _beside("plain"), _beside("written")


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
    LOADING.distrust(root)
    LOADING.extend_path(request["path"], root)
    app = LOADING.load_app(request["app"], root)
    app.test_request_context().push()  # never popped: lazy texts and registries may need it to the end
    registries = [{"name": one["name"], "entries": list(_entries(one, root))} for one in request["sources"]]
    rules = [_rule(app, rule, root) for rule in app.url_map.iter_rules() if not rule.build_only]
    return {"registries": registries, "rules": rules}


def _entries(source: dict[str, str], root: str) -> Iterator[dict[str, str]]:
    held, module, name = _registry(source["object"], root)
    where = f"registry {source['name']!r} ({source['object']})"
    if isinstance(held, Mapping):
        twice = Counter(WRITTEN.written(module, name, root)) if name else Counter()
        for key, value in held.items():
            entry = _entry(value, source["key"], key, where)
            yield from [entry] * max(1, twice[key])
    elif isinstance(held, (list, tuple)) and not hasattr(held, "_fields"):
        for value in held:
            yield _entry(value, source["key"], None, where)
    else:
        what = type(held).__name__
        raise LOADING.Unusable(f"{where} is a {what}; it must be a list, a tuple or a mapping, or return one")


def _registry(spec: str, root: str) -> tuple[Any, ModuleType, str]:
    target, _, path = spec.partition(":")
    module = LOADING.load(target, root)
    held: Any = module
    for name in path.split("."):
        if not hasattr(held, name):
            raise LOADING.Unusable(f"{spec} does not resolve: no {name!r} there; correct the registry's object")
        held = getattr(held, name)
    if callable(held) and not isinstance(held, Mapping):
        return held(), module, ""
    return held, module, path


def _entry(value: Any, field: str, key: Any, where: str) -> dict[str, str]:
    fields = PLAIN.fields(value)
    chosen = fields.get(field, key) if fields is not None else key
    if chosen is None or str(chosen) == "":
        what = f"{where} has an entry without the field {field!r}"
        raise LOADING.Unusable(f"{what}; correct the registry's key: {value!r:.80}")
    plain = PLAIN.Plain()
    content = plain.mapping(fields) if fields is not None else plain.value(value)
    return {"key": _text(chosen), "content": _text(json.dumps(content, sort_keys=True, ensure_ascii=False))}


def _text(value: Any) -> str:
    """Without the halves of surrogate pairs, which no file and no database takes."""
    return str(value).encode("utf-8", "backslashreplace").decode()


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
    home, name = getattr(view, "__module__", ""), getattr(view, "__name__", "")
    return home.split(".")[0] == "flask" and name in ("send_static_file", "<lambda>")


def _file(view: Any) -> str:
    while isinstance(view, functools.partial):
        view = view.func
    try:
        return inspect.getfile(getattr(view, "view_class", None) or inspect.unwrap(view))
    except (TypeError, OSError, ValueError):
        return ""


def _relative(path: str, root: str) -> str:
    path = os.path.realpath(os.path.join(root, path)) if path else ""
    return os.path.relpath(path, root) if path != root and LOADING.inside(path, root) else ""


def _failure(error: BaseException, root: str) -> dict[str, Any]:
    file, line = _last_frame(error.__traceback__, root)
    if isinstance(error, SyntaxError) and _relative(error.filename or "", root):
        file, line = _relative(error.filename or "", root), error.lineno or 0
    kind = "" if isinstance(error, LOADING.Unusable) else type(error).__name__
    try:
        message = str(error)
    except Exception:
        message = "its message cannot be shown"
    return {"type": kind, "message": message[:1000], "file": file, "line": line}


def _last_frame(trace: TracebackType | None, root: str) -> tuple[str, int]:
    found = ("", 0)
    while trace is not None:
        place = _relative(trace.tb_frame.f_code.co_filename, root)
        found = (place, trace.tb_lineno) if place else found
        trace = trace.tb_next
    return found


if __name__ == "__main__":
    main()
