"""The files that a site sends as they are: where they lie in its tree, and the URLs at which they are asked."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote

from gates.frames import Static
from gates.plan import Ground
from gates.question import Question

_ALL = 1000
_BLANK = "<path:filename>"


def questions(ground: Ground, statics: Iterable[Static], paths: Iterable[str]) -> tuple[Question, ...]:
    """One question for each tracked file below a static folder; bounded."""
    places = sorted(paths)
    found = [Question("GET", url, _host(ground, one), why="static") for one in statics for url in _urls(one, places)]
    return tuple(dict.fromkeys(found))[:_ALL]


def _urls(static: Static, paths: Iterable[str]) -> list[str]:
    top = f"{static.folder}/" if static.folder != "." else ""
    return [static.rule.replace(_BLANK, quote(path[len(top) :])) for path in paths if path.startswith(top)]


def _host(ground: Ground, static: Static) -> str:
    hosts = [ground.host(rule) for rule in ground.holdings.rules if rule.static and rule.rule == static.rule]
    return next((host for host in hosts if host is not None), ground.server)
