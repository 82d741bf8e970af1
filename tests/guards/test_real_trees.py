"""The guards' node over real trees, the real sandbox and every source of registries; cases 25, 28 and 29."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from bot.base.known import Known
from bot.base.panel import Declared, GuardPanel
from bot.base.reader import SandboxReader
from bot.model import (
    Addition,
    Change,
    Claim,
    GuardObjections,
    GuardsPassed,
    Limits,
    Objection,
    Range,
    Site,
    Snapshot,
    Source,
)
from bot.nodes.guards import Guards
from guards.patch import fingerprint
from tests.support.sites import Yard, site, yard

APP = "from flask import Flask\nfrom content import ARTICLES, PROJECTS\napp = Flask(__name__)\n"
CONTENT = """
ARTICLES = [
    {"slug": "fog", "title": "On fog"},
    {"slug": "rope", "title": "On rope"},
]
PROJECTS = {"atlas": {"title": "Atlas"}, "lamp": {"title": "Lamp"}}
"""
AGNES = "---\nname: Agnes Thorne\n---\nShe kept the light for thirty years.\n"
HARBOURS = "harbours:\n  north: {depth: 7}\n  south: {depth: 9}\n"
FILES = {"app.py": APP, "content.py": CONTENT, "keepers/agnes.md": AGNES, "data/harbours.yaml": HARBOURS}
SOURCES = (
    Source("articles", "python", "slug", object="content:ARTICLES"),
    Source("projects", "python", "slug", object="content:PROJECTS"),
    Source("keepers", "files", "stem", glob="keepers/*.md"),
    Source("harbours", "data", "id", file="data/harbours.yaml", at="harbours"),
)
ONE = Range(1, 1)
ADDITIONS = tuple(Addition(name.removesuffix("s"), {name: ONE}) for name in (source.name for source in SOURCES))


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("trees"), FILES)


def where() -> Site:
    return site(sources=SOURCES)


def judged(
    ground: Yard, files: Mapping[str, str], kind: str, key: str, known: Known | None = None
) -> GuardsPassed | GuardObjections:
    tree = ground.tree(files)
    entries = ground.store.entries(ground.base)
    changes = tuple(Change(path, "changed" if path in entries else "added", size=len(files[path])) for path in files)
    snapshot = Snapshot("0" * 40, ground.base, tree, Claim(kind, key, "One more."), changes)
    snapshot = replace(snapshot, patch=fingerprint(ground.store.patch(ground.base, tree)))
    tools = ground.tools
    reader = SandboxReader(ground.store, tools.exports, tools.sandbox, tools.cache, where(), "test")
    panel = GuardPanel(ground.store, Declared(ADDITIONS, Limits()), lambda _: known or Known({}))
    return Guards(lambda: reader, lambda: panel).run(ground.ready(), snapshot)


def objections(*about: object, **more: object) -> list[Objection]:
    verdict = judged(*about, **more)  # type: ignore[arg-type]
    assert isinstance(verdict, GuardObjections), verdict
    return list(verdict.objections)


def with_article(*rows: str) -> str:
    return CONTENT.replace("]\n", "".join(f"    {row},\n" for row in rows) + "]\n", 1)


KNOTS, ROPE = '{"slug": "knots", "title": "On knots"}', '    {"slug": "rope"'
LAMP, TOM = '"lamp": {"title": "Lamp"}}', "---\nname: Tom Reed\n---\nHe wound the clockwork.\n"
WEST = HARBOURS + "  west: {depth: 4}\n"

ACCEPTED: dict[str, tuple[Mapping[str, str], str, str, str]] = {
    "an article": ({"content.py": with_article(KNOTS)}, "article", "knots", "articles/knots"),
    "an article in the middle": (
        {"content.py": CONTENT.replace(ROPE, f"    {KNOTS},\n{ROPE}")},
        "article", "knots", "articles/knots",
    ),
    "a registry built by a loop": (
        {"content.py": CONTENT.replace('PROJECTS = {"atlas": {"title": "Atlas"}, "lamp": {"title": "Lamp"}}',
         'PROJECTS = {n.lower(): {"title": n} for n in ("Atlas", "Lamp", "Winch")}')},
        "project", "winch", "projects/winch",
    ),
    "a keeper": ({"keepers/tom.md": TOM}, "keeper", "tom", "keepers/tom"),
    "a keeper with a name of its own": (
        {"keepers/zoë & ann.md": "---\nname: Zoë\n---\nBoth sisters rowed out.\n"},
        "keeper", "zoë & ann", "keepers/zo%C3%AB%20%26%20ann",
    ),
    "a harbour, and the others in another order": (
        {"data/harbours.yaml": "harbours:\n  south: {depth: 9}\n  west: {depth: 4}\n  north: {depth: 7}\n"},
        "harbour", "west", "harbours/west",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_one_addition_to_any_source_passes_under_its_key(ground: Yard, name: str) -> None:
    files, kind, key, spelt = ACCEPTED[name]
    verdict = judged(ground, files, kind, key)
    assert isinstance(verdict, GuardsPassed), verdict
    assert verdict.adds == (spelt,)


REJECTED: dict[str, tuple[Mapping[str, str], str, str, set[tuple[str, str]]]] = {
    "case 25: a key that overwrites": (
        {"content.py": CONTENT.replace(LAMP, LAMP[:-1] + ', "atlas": {"title": "Atlas two"}}')},
        "project", "atlas", {("duplicate-key", "projects/atlas"), ("edited", "projects/atlas")},
    ),
    "case 25: a slug that is never reached": (
        {"content.py": with_article('{"slug": "fog", "title": "More of it"}')},
        "article", "fog", {("duplicate-key", "articles/fog")},
    ),
    "an entry that the site makes behind the source": (
        {"app.py": APP + "ARTICLES.append({'slug': 'knots', 'title': 'On knots'})\n"},
        "article", "knots", {("views-disagree", "articles/knots")},
    ),
    "an entry that the module itself cuts off": (
        {"content.py": with_article(KNOTS) + "\nARTICLES = ARTICLES[:-1]\n"},
        "article", "knots", {("views-disagree", "articles/knots"), ("nothing-added", "article")},
    ),
    "an entry that the module itself takes out": (
        {"content.py": with_article(KNOTS) + "\nARTICLES.pop()\n"},
        "article", "knots", {("views-disagree", "articles/knots"), ("nothing-added", "article")},
    ),
    "an entry that the module itself leaves out": (
        {"content.py": with_article(KNOTS) + "\nARTICLES = [one for one in ARTICLES if one['slug'] != 'knots']\n"},
        "article", "knots", {("views-disagree", "articles/knots"), ("nothing-added", "article")},
    ),
    "an entry that the site hides": (
        {"content.py": with_article(KNOTS), "app.py": APP + "ARTICLES.pop()\n"},
        "article", "knots", {("views-disagree", "articles/knots"), ("nothing-added", "article")},
    ),
    "a harbour given twice": (
        {"data/harbours.yaml": HARBOURS + "  north: {depth: 8}\n"},
        "harbour", "north", {("duplicate-key", "harbours/north")},
    ),
    "a field given twice": (
        {"keepers/tom.md": "---\nname: Tom Reed\nname: Tim Reed\n---\nHe wound the clockwork.\n"},
        "keeper", "tom", {("duplicate-field", "keepers/tom")},
    ),
    "another keeper's text changed": (
        {"keepers/tom.md": TOM, "keepers/agnes.md": AGNES.replace("thirty", "forty")},
        "keeper", "tom", {("edited", "keepers/agnes")},
    ),
    "a keeper and a harbour": (
        {"keepers/tom.md": TOM, "data/harbours.yaml": WEST},
        "keeper", "tom", {("two-kinds", "keepers")},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", REJECTED)
def test_what_is_not_one_addition_is_told_by_code_and_subject(ground: Yard, name: str) -> None:
    files, kind, key, expected = REJECTED[name]
    found = {(one.code, one.subject) for one in objections(ground, files, kind, key)}
    assert expected <= found


def test_a_file_that_cannot_be_read_is_an_objection_at_its_line_and_never_clean(ground: Yard) -> None:
    files = {"data/harbours.yaml": HARBOURS + "  west: {depth: 4\n", "keepers/tom.md": "---\nname: Tom\n---\n"}
    (one,) = objections(ground, files, "keeper", "tom")
    assert (one.code, one.path) == ("site-unreadable", "data/harbours.yaml") and one.where != one.path
    assert "registry 'harbours'" in one.seen and "every registry can be read" in one.accept


def test_the_same_change_is_not_tried_twice_whatever_it_claims(ground: Yard) -> None:
    files = {"content.py": with_article(KNOTS)}
    patch = fingerprint(ground.store.patch(ground.base, ground.tree(files)))
    known = Known({"articles/knots": "rejected on 2026-11-29 in c1: dull"}, (), {patch: "rejected in c1: dull"})
    found = {one.code: one for one in objections(ground, files, "article", "knots", known)}
    assert set(found) == {"tried-before", "known"} and "c1: dull" in found["known"].seen


def test_case_28_a_stale_module_is_never_judged(ground: Yard) -> None:
    """Two trees whose module differs by equal length within one second: each is read for itself."""
    for key in ("knota", "knotb"):
        files = {"content.py": with_article(f'{{"slug": "{key}", "title": "On {key}"}}')}
        verdict = judged(ground, files, "article", key)
        assert isinstance(verdict, GuardsPassed) and verdict.adds == (f"articles/{key}",)
