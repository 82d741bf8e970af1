"""Stand-alone: what a loaded application says of itself before it is asked anything. Read by serve.py, beside it.

Standard library, the site's own Flask and Python 3.9 syntax only.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any


def hello(app: Any, root: str) -> dict[str, Any]:
    """The first frame: where the site expects to be asked, its static folders, and the versions it runs on."""
    python = ".".join(map(str, sys.version_info[:2]))
    return {
        "host": _host(app.config),
        "host_matching": bool(app.url_map.host_matching),
        "converters": _converters(app),
        "statics": [list(pair) for pair in _statics(app, root)],
        "versions": f"flask {version('flask')}, werkzeug {version('werkzeug')}, python {python}",
    }


def _statics(app: Any, root: str) -> Iterator[tuple[str, str]]:
    """Each rule that sends files, and the folder of the tree that they lie in, told by the view and not by its name."""
    for rule in app.url_map.iter_rules():
        view = app.view_functions.get(rule.endpoint)
        sends = getattr(view, "__module__", "").split(".")[0] == "flask" and "<path:filename>" in rule.rule
        folder = getattr(app.blueprints.get(rule.endpoint.rpartition(".")[0], app), "static_folder", None)
        if sends and folder and os.path.realpath(folder).startswith(root + os.sep):
            yield rule.rule, os.path.relpath(os.path.realpath(folder), root)


def _host(config: Any) -> str:
    """Where the site expects to be asked, empty where it does not care."""
    hosts = config.get("TRUSTED_HOSTS") or ()
    trusted = [str(one).lstrip(".") for one in ([hosts] if isinstance(hosts, str) else hosts)]
    return str(config.get("SERVER_NAME") or ("" if "localhost" in trusted else next(iter(trusted), "")))


def _converters(app: Any) -> list[list[str]]:
    """Name and pattern of each converter that the site brings itself."""
    kinds = app.url_map.converters.items()
    own = ((name, kind) for name, kind in kinds if not kind.__module__.startswith("werkzeug."))
    return [[name, kind.regex] for name, kind in own if isinstance(getattr(kind, "regex", None), str)]
