"""The demo's site is what the demo says: small, sound where it should be, and broken where it should be."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po

from tests.support import lights


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return lights.copy(tmp_path_factory.mktemp("site") / "site")


@pytest.fixture(scope="module")
def site(folder: Path) -> lights.Lights:
    return lights.ask(folder)


def test_it_has_enough_to_look_like_a_catalogue(site: lights.Lights) -> None:
    assert len(site.articles) >= 10 and len(set(site.articles)) == len(site.articles)
    assert len(site.projects) >= 8 and len(set(site.projects)) == len(site.projects)


def test_every_page_answers_in_both_languages_except_the_almanac(site: lights.Lights) -> None:
    failing = {name for name, status in site.statuses.items() if status != 200}
    assert failing == {"en /almanac", "zh /almanac"}
    assert site.statuses["en /almanac"] == 500


def test_the_two_languages_really_differ(site: lights.Lights) -> None:
    assert '<html lang="en">' in site.pages["en /about"][1]
    assert '<html lang="zh">' in site.pages["zh /about"][1]
    assert "关于我们" in site.pages["zh /about"][1]


def test_the_front_page_shows_the_latest_five_and_the_counts(site: lights.Lights) -> None:
    page = site.pages["en /"][1]
    assert page.count('href="/articles/') == 5
    assert f"{len(site.articles)} articles" in page and f"{len(site.projects)} projects" in page


def test_feeds_and_sitemap_name_every_article(site: lights.Lights) -> None:
    for name in ("en /feed.xml", "en /feed.json", "en /sitemap.xml"):
        assert all(f"/articles/{slug}" in site.pages[name][1] for slug in site.articles), name


def test_it_carries_some_old_lint_debt(folder: Path) -> None:
    rules = {rule for _, rule in lights.violations(folder)}
    assert {"E501", "E711", "E722", "F401", "I001"} <= rules
    assert not any(path.startswith("src/lights/content/articles") for path, _ in lights.violations(folder))


def test_its_chinese_catalogue_is_complete(folder: Path) -> None:
    extracted = Catalog()
    methods = [("src/lights/**.py", "python"), ("src/lights/templates/**.html", "jinja2")]
    for path, line, message, *_ in extract_from_dir(folder, method_map=methods):
        extracted.add(message, locations=[(path, line)])
    with (folder / "locales/zh/LC_MESSAGES/messages.po").open("rb") as source:
        chinese = read_po(source, locale="zh", abort_invalid=True)
    assert not [message.id for message in extracted if message.id and message.id not in chinese]
    assert not [message.id for message in chinese if message.id and (message.fuzzy or not message.string)]


def test_its_own_tests_pass(folder: Path) -> None:
    assert "passed" in lights.python(folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests")


def test_nothing_compiled_is_kept_with_the_template() -> None:
    tracked = (lights.TEMPLATE.parent.parent.parent / ".gitignore").read_text(encoding="utf-8")
    assert "__pycache__/" in tracked
    assert not list(lights.TEMPLATE.rglob("*.mo"))


def test_its_ruff_settings_are_its_own() -> None:
    project = tomllib.loads((lights.TEMPLATE / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["ruff"]["lint"]["select"] == ["E", "F", "W", "I"]
