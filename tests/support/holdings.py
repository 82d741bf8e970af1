"""Builders of what a site holds, and the probe asked as a plain process."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import guards
from bot.model import AddedLine, Addition, Change, Claim, Entry, Holdings, Limits, Range, Registry, Rule, Snapshot
from guards.facts import Facts

PROBE = Path(guards.__file__).resolve().parent / "probe.py"
FLAGS = ("-I", "-B")
APP = "from flask import Flask\napp = Flask(__name__)\n"


def registry(name: str, *keys: str, **contents: str) -> Registry:
    """Entries of these keys in this order; `contents` gives some another content than `{}`."""
    return Registry(name, tuple(Entry(key, contents.get(key, "{}")) for key in keys))


def rule(path: str, endpoint: str = "", methods: tuple[str, ...] = ("GET", "HEAD", "OPTIONS")) -> Rule:
    """A rule without arguments unless the path names some."""
    arguments = tuple(part.split(">")[0].split(":")[-1] for part in path.split("<")[1:])
    return Rule(path, endpoint or path.strip("/").replace("/", "_") or "home", methods, arguments)


def holdings(*registries: Registry, rules: tuple[str, ...] = ("/", "/articles/<slug>")) -> Holdings:
    """The registries and the rules of these paths."""
    return Holdings(registries, tuple(rule(path) for path in rules))


ARTICLE = Addition("article", {"articles": Range(1, 1)})
PAIR = Addition("pair", {"articles": Range(2, 2)})
FEATURE = Addition("feature", {"url_map": Range(0, 2)})
BASE = holdings(registry("articles", "a", "b"), registry("projects", "p"))


def facts(candidate: Holdings, claim: Claim, base: Holdings = BASE, **more: Any) -> Facts:
    """Facts of a change in one file; `more` replaces fields of Facts, or `changes` and `patch` of its snapshot."""
    changes = more.pop("changes", (Change("content.py", "changed", size=100),))
    patch = more.pop("patch", "")
    given = {"additions": (ARTICLE, FEATURE), "known": {}, "limits": Limits(), "added": (), **more}
    return Facts(Snapshot("b", "bt", "ct", claim, changes, patch=patch), base, candidate, **given)


def line(text: str, path: str = "content.py", number: int = 1) -> AddedLine:
    """An added line."""
    return AddedLine(path, number, text)


def write(root: Path, files: Mapping[str, str]) -> Path:
    """The files under a root, folders made as needed."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


Source = Mapping[str, str]


def ask(
    root: Path,
    app: str = "app",
    source: Source | None = None,
    path: tuple[str, ...] = (".",),
) -> bytes:
    """The probe's whole standard output."""
    sources = [{"name": "things", "key": "slug", **source}] if source else []
    request = {"app": app, "path": path, "sources": sources, "root": str(root)}
    command = [sys.executable, *FLAGS, str(PROBE)]
    return subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, cwd=root, timeout=60).stdout


def probed(root: Path, *about: Any, **more: Any) -> Any:
    """The probe's one answer to what `ask` takes."""
    out = ask(root, *about, **more)
    assert len(out) == 4 + int.from_bytes(out[:4], "big"), out
    return json.loads(out[4:])
