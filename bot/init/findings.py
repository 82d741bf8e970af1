"""Everything that reading a checkout tells, in one value, and what it does not tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from bot.frozen import frozen
from bot.init import surroundings
from bot.init.application import Application, application
from bot.init.content import data_files, front_matter
from bot.init.registries import Likely, with_pages, written_in
from bot.init.repository import Checkout, read_checkout
from bot.init.rules import Rule, locale_by, rules
from bot.init.sources import Module, modules, reached
from bot.init.surroundings import Catalogues

_UNFIT = re.compile(r"[^A-Za-z0-9._-]+")
_ANYBODYS = (
    *("app", "site", "web", "www", "html", "htdocs", "public_html", "website", "flask", "server"),
    *("src", "source", "code", "repo", "repository", "git", "checkout", "current", "main", "project", "remote"),
)
FEW = 12  # registries are shown for choosing, not for reading


@frozen
class Findings:
    """What was found. Texts are empty, and `app` None, where nothing was."""

    checkout: Checkout
    name: str
    app: Application | None
    python: str
    allow: tuple[str, ...]
    path: tuple[str, ...]
    catalogues: Catalogues | None
    locale_by: str
    registries: tuple[Likely, ...]
    rules: tuple[Rule, ...]
    lint: str
    tests: str
    variables: tuple[str, ...]
    untracked: tuple[str, ...]

    @property
    def examples(self) -> tuple[str, ...]:
        """Pages that need a query."""
        asking = [rule for rule in self.rules if rule.queries and not rule.arguments and "GET" in rule.methods]
        return tuple(f"{rule.rule}?{rule.queries[0]}=a" for rule in asking)

    @property
    def login(self) -> str:
        """Where one signs in."""
        return next((rule.rule for rule in self.rules if rule.is_login), "")


def find(folder: Path, python: str = "") -> Findings:
    """Read the checkout at the folder. `python` is the site's interpreter, if it is known. Raises ConfigError."""
    checkout = read_checkout(folder)
    source = modules(checkout)
    app, known = application(checkout, source), rules(source)
    own = tuple(one for one in source if app is not None and one.root == app.root)
    likely = with_pages((*written_in(own), *front_matter(checkout), *data_files(checkout)), known)
    messages, tests = surroundings.catalogues(checkout, source), surroundings.tests(checkout)
    return Findings(
        checkout,
        _name(checkout),
        app,
        python or surroundings.interpreter(checkout.folder),
        _allowed(checkout, app, likely, messages, tests),
        (app.root,) if app else (".",),
        messages,
        locale_by(source, known),
        likely[:FEW],
        known,
        surroundings.lint_settings(checkout),
        tests,
        surroundings.asked_of_environment(reached(app.module, source) if app else source, source),
        surroundings.untracked(checkout),
    )


def _name(checkout: Checkout) -> str:
    """The checkout's folder, but rather its repository or the folder above where that is a word that any site uses.

    Sites of one name would share one state folder.
    """
    repository = checkout.url.rstrip("/").rpartition("/")[2].rpartition(":")[2].removesuffix(".git")
    names = (checkout.folder.name, repository, checkout.folder.parent.name)
    fit = [name for one in names if (name := _UNFIT.sub("-", one).strip("-._")[:60])]
    return next((name for name in fit if name.lower() not in _ANYBODYS), fit[0] if fit else "site")


def _allowed(
    checkout: Checkout, app: Application | None, likely: tuple[Likely, ...], messages: Catalogues | None, tests: str
) -> tuple[str, ...]:
    others = [f"{messages.folder}/**"] if messages and messages.folder != "." else []
    others += [f"{tests}/**"] if tests else []
    others += [one.place for one in likely if one.source != "python" and one.page]
    module: Module | None = app.module if app else None
    return surroundings.allowed(checkout, module, tuple(others)) if module else tuple(others) or ("**",)


def told(found: Findings) -> Iterator[tuple[str, str]]:
    """What was found, for people: a label and a value each."""
    yield "application", found.app.app if found.app else ""
    yield "imported from", ", ".join(found.path)
    yield "interpreter", found.python
    yield "branch", found.checkout.branch
    yield "remote", f"{found.checkout.remote} ({found.checkout.url})" if found.checkout.url else ""
    yield "URL rules", str(len(found.rules) or "")
    yield "registries", ", ".join(f"{one.name} ({one.count}) at {one.page}" for one in found.registries if one.page)
    yield "catalogues", f"{found.catalogues.folder}: {', '.join(found.catalogues.locales)}" if found.catalogues else ""
    yield "ruff settings", found.lint
    yield "tests", found.tests
    yield "login", found.login
