"""Small Flask sites in a real store, exported and served in the real sandbox."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bot.base.cache import FolderCache
from bot.base.interpreter import locate
from bot.base.reader import SandboxReader
from bot.machine.clock import SystemClock
from bot.model import Allowance, Claim, Evidence, Objection, Ready, Site, Snapshot, Source
from bot.parts import LintPart, RouteRules, RoutesPart, Tools, choose_ruff
from bot.sandbox import Box, open_sandbox
from bot.store.git import Identity, found
from bot.store.remote import Remote
from bot.store.repository import Store
from bot.workspace.export import FolderExports
from gates.catalogue import compile_catalogue

Files = Mapping[str, str | bytes]
PYTHON = str(Path(sys.prefix) / "bin" / "python")
CLAIM = Claim("feature", "tides", "Adds a page on tides.")

HOME = """
from flask import Flask, abort, render_template_string
app = Flask(__name__)
ARTICLES = [{"slug": f"light-{number}", "title": f"Light number {number}"} for number in range(8)]
LIST = '''<html lang="en"><head><title>Lights</title></head><body><nav><a href="/">Home</a> <a href="/all">All</a></nav>
<main><h1>Lights</h1><p>{{ total }} articles</p><ul>{% for a in shown %}
<li><a href="/articles/{{ a.slug }}">{{ a.title }}</a> read on</li>{% endfor %}</ul></main></body></html>'''
@app.get("/")
def home(): return render_template_string(LIST, total=len(ARTICLES), shown=ARTICLES[::-1][:5])
@app.get("/all")
def every(): return render_template_string(LIST, total=len(ARTICLES), shown=ARTICLES)
@app.get("/articles/<slug>")
def article(slug):
    for one in ARTICLES:
        if one["slug"] == slug: return f"<title>{one['title']}</title><h1>{one['title']}</h1><p>About {slug}.</p>"
    abort(404)
@app.get("/almanac")
def almanac(): return {}["tides"]
"""


def site(**more: object) -> Site:
    """How the small sites are loaded: `app.py` at the top, articles with pages."""
    where = locate(PYTHON, Path.cwd())
    sources = (Source("articles", "python", "slug", object="app:ARTICLES", page="/articles/{slug}"),)
    plain = Site(app="app", python=where.python, read=where.read, sources=sources)
    return replace(plain, **more)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Yard:
    """A store with a base tree, and everything that a gate part needs."""

    store: Store
    tools: Tools
    base: str

    def tree(self, files: Mapping[str, str | None]) -> str:
        """Base with these files changed."""
        return self.store.write_tree(self.base, {path: _blob(text) for path, text in files.items()})

    def using(self, site: Site) -> Tools:
        """The tools, with a reader for that site."""
        reader = SandboxReader(self.store, self.tools.exports, self.tools.sandbox, self.tools.cache, site, "test")
        return replace(self.tools, reader=reader)

    def ready(self) -> Ready:
        """What precheck would hand on."""
        allowance = Allowance(10, 1000, None, 60.0)
        return Ready(
            *("20261130T040000Z-7f3a", "2026-11-30T04:00:00Z", False, "main", "0" * 40, self.base, "", {}, "", ""),
            baselines=(),
            allowance=allowance,
            sandbox=self.tools.sandbox.mode,
        )

    def snapshot(self, files: Mapping[str, str | None], claim: Claim = CLAIM) -> Snapshot:
        """The change as scope would freeze it."""
        return Snapshot("0" * 40, self.base, self.tree(files), claim, ())

    def routes(self, where: Site | None = None, rules: RouteRules | None = None, seed: int = 1) -> RoutesPart:
        """The routes part for a site of this yard."""
        where = where or site()
        return RoutesPart(self.using(where), where, rules or RouteRules(), Random(seed))

    def lint(self) -> LintPart:
        """The lint part with the linter that came along."""
        return LintPart(self.tools, choose_ruff(PYTHON))

    def judged(
        self, files: Mapping[str, str | None], claim: Claim = CLAIM, where: Site | None = None
    ) -> tuple[tuple[Objection, ...], Evidence]:
        """What the routes part says of a change."""
        return self.routes(where).judge(self.ready(), self.snapshot(files, claim))


def yard(folder: Path, files: Files, provide: tuple[tuple[str, Path], ...] = ()) -> Yard:
    """A fresh store whose base holds the files."""
    plain = folder / "plain"
    for path, text in files.items():
        (plain / path).parent.mkdir(parents=True, exist_ok=True)
        (plain / path).write_bytes(text if isinstance(text, bytes) else dedented(text).encode())
    identity = Identity("A Keeper", "keeper@lights.example", "2026-11-01T00:00:00+00:00")
    tip = found(folder / "remote.git", plain, "Found the site", identity, "main")
    store = Store.open(folder / "store.git", Remote(str(folder / "remote.git")))
    store.fetch("main")
    sandbox = _sandbox()
    exports = FolderExports(store, folder / "exports", owner=sandbox.owner, compiler=compile_catalogue, provide=provide)
    cache = FolderCache(folder / "cache")
    reader = SandboxReader(store, exports, sandbox, cache, site(), "test")
    return Yard(store, Tools(store, exports, sandbox, cache, reader, SystemClock()), store.tree_of(tip))


@cache
def _sandbox() -> Box:
    """Proven once in a process; it keeps nothing of where that was done."""
    with TemporaryDirectory() as scratch:
        Path(scratch).chmod(0o755)
        return open_sandbox(scratch=Path(scratch))


def dedented(text: str) -> str:
    """Source text without the indentation of the test that holds it."""
    return textwrap.dedent(text).lstrip("\n")


def _blob(text: str | None) -> tuple[str, bytes] | None:
    return None if text is None else ("100644", dedented(text).encode())
