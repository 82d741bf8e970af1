"""What reading a checkout tells, on sites of different layouts."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.init import find, written
from tests.support import httpbin
from tests.support.checkouts import FACTORY, checkout
from tests.support.commands import demo_stage
from tests.support.repository import git

ASKING = "def create_app(needed, more=1, *, also):\n    pass\n"
APP = "from flask import Flask\napp = Flask(__name__)\n"
SLIP = "{'slug': '%s', 'n': 1}"


def app_of(folder: Path, files: dict[str, str]) -> tuple[str, tuple[str, ...]]:
    found = find(checkout(folder, files))
    return (found.app.app if found.app else "", found.path)


@pytest.mark.parametrize(
    ("files", "app", "path"),
    [
        ({"app.py": APP}, "app:app", "."),
        ({"wsgi.py": "from site_ import create_app\napplication = create_app()\n", "site_.py": APP},
         "wsgi:application", "."),
        ({"wsgi.py": "from shop import app\n", "shop/__init__.py": "from shop.core import app\n"}, "wsgi:app", "."),
        ({"src/shop/__init__.py": "", "src/shop/factory.py": "def make_app():\n    pass\n"},
         "shop.factory:make_app", "src"),
        ({"shop/__init__.py": APP.replace("app =", "web ="), "shop/app.py": ""}, "shop:web", "."),
        ({"web/app.py": APP}, "app:app", "web"),
        ({"one.py": APP, ".flaskenv": "FLASK_APP=two.py\n", "two.py": APP}, "two:app", "."),
        ({"one.py": APP, ".flaskenv": "FLASK_APP=one:no-name\n"}, "one:app", "."),
        ({"one.py": APP, ".flaskenv": "export FLASK_APP='src/two:make'\n", "src/two.py": "def make():\n    pass\n"},
         "two:make", "src"),
        ({"app.py": ASKING}, "app:create_app(needed, also)", "."),
        ({"app.py": ASKING, "wsgi.py": "from app import create_app\n"}, "app:create_app(needed, also)", "."),
        ({"app.py": ASKING, "wsgi.py": "import app\nif app:\n    with app:\n        application = app.create_app(1)\n"},
         "wsgi:application", "."),
        ({"tests/app.py": APP, "readme.py": "x = 1\n"}, "", "."),
        ({"app.py": "def broken(:\n", "main.py": APP}, "main:app", "."),
    ],
)  # fmt: skip
def test_the_application_is_found_as_flask_would_and_further(
    tmp_path: Path, files: dict[str, str], app: str, path: str
) -> None:
    assert app_of(tmp_path, files) == (app, (path,))


def test_a_factory_package_with_blueprints_is_read_whole(tmp_path: Path) -> None:
    found = find(checkout(tmp_path, FACTORY))
    assert found.app and (found.app.app, found.path) == ("shop:create_app", (".",))
    assert (found.checkout.branch, found.checkout.remote, found.checkout.trouble) == ("main", "origin", "")
    assert found.allow == ("shop/**", "tests/**")
    by_name = {one.name: one for one in found.registries}
    lamps = by_name["lamps"]
    assert (lamps.place, lamps.key, lamps.page, lamps.kind) == (
        "shop.goods:LAMPS",
        "slug",
        "/shop/lamps/{slug}",
        "lamp",
    )
    assert (by_name["notes"].source, by_name["notes"].place, by_name["notes"].key) == (
        "files",
        "content/notes/*.md",
        "stem",
    )
    assert (by_name["ports"].place, by_name["ports"].at, by_name["ports"].key) == ("data/ports.yaml", "ports", "id")
    assert set(by_name) == {"lamps", "notes", "ports"}
    assert found.examples == ("/shop/find?word=a",)
    assert (found.login, found.tests, found.variables, found.python) == ("/shop/login", "tests", ("SHOP_MODE",), "")


def test_the_demos_site_is_found_as_its_owner_wrote_it_down(tmp_path: Path) -> None:
    found = find(demo_stage(tmp_path / "site").checkout, "/usr/bin/python3")
    assert found.app and (found.app.app, found.path) == ("lights.app:create_app", ("src",))
    assert {(one.name, one.key, one.page) for one in found.registries if one.page} == {
        ("articles", "slug", "/articles/{slug}"),
        ("projects", "slug", "/projects/{slug}"),
    }
    assert found.catalogues and found.catalogues.locales == ("en", "zh")
    assert (found.catalogues.folder, found.catalogues.mapping) == ("locales", "babel.cfg")
    assert found.lint == "pyproject.toml" and found.examples == ("/search?q=a",)
    assert found.allow == ("src/lights/**", "locales/**", "tests/**")


def test_a_site_that_nobody_here_wrote_is_found(tmp_path: Path) -> None:
    found = find(httpbin.stage(tmp_path / "stage", datetime.now(UTC)).checkout)
    assert found.app and found.app.app in ("httpbin:app", "httpbin.core:app")
    assert found.path == ("src",) and len(found.rules) > 40 and found.allow == ("src/httpbin/**",)


def test_files_that_are_not_tracked_are_not_the_site(tmp_path: Path) -> None:
    site = checkout(tmp_path, {"readme.md": "x\n"})
    (site / "app.py").write_text(APP)
    assert find(site).app is None


def test_an_environment_in_the_checkout_is_the_interpreter(tmp_path: Path) -> None:
    site = checkout(tmp_path, {"app.py": APP})
    (site / "venv/bin").mkdir(parents=True)
    (site / "venv/bin/python").symlink_to("/usr/bin/python3")
    assert find(site).python == "venv/bin/python"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (f"[{SLIP % 'a'}, {SLIP % 'b'}]", "slug"),
        ("[Item(id='a'), Item(id='b')]", "id"),
        ("[dict(id=1, name='a'), dict(id=2, name='b')]", "id"),
        ("[dict(id=True, name='a'), dict(id=False, name='b')]", "name"),
        ("[dict(name='a b', code='x'), dict(name='c', code='y')]", "code"),
        (f"[{SLIP % 'a'}, {SLIP % 'a'}]", None),  # not unique
        (f"[{SLIP % 'a'}]", None),  # one is no registry
        (f"[{SLIP % 'a'}, 5]", None),
        (f"[{SLIP % 'a b'}, {SLIP % 'c d'}]", None),  # no address holds that
        ("{'a': Item(x=1), 'b': Item(x=2)}", "slug"),
        ("{'a': 1, 'b': 2}", None),
        ("load()", None),
    ],
)
def test_what_could_be_a_registry(tmp_path: Path, value: str, found: str | None) -> None:
    text = f"{APP}THINGS = {value}\n\n\n@app.get('/things/<slug>')\ndef thing(slug):\n    return slug\n"
    likely = find(checkout(tmp_path, {"app.py": text})).registries
    assert [one.key for one in likely if one.page] == ([found] if found else [])


@pytest.mark.parametrize(
    ("source", "by"),
    [
        ("def get_locale():\n    return request.args.get('lang')\n", "query:lang"),
        ("@app.get('/<lang>/x')\ndef x(lang):\n    return lang\n", "prefix"),
        ("def get_locale():\n    return request.accept_languages.best_match([])\n", "accept-language"),
    ],
)
def test_how_a_language_is_asked_for(tmp_path: Path, source: str, by: str) -> None:
    assert find(checkout(tmp_path, {"app.py": APP + source})).locale_by == by


def test_the_sources_own_language_comes_first(tmp_path: Path) -> None:
    files = {"app.py": APP + "BABEL_DEFAULT_LOCALE = 'de'\n", "translations/fr/LC_MESSAGES/messages.po": "\n"}
    catalogues = find(checkout(tmp_path, files)).catalogues
    assert catalogues and (catalogues.locales, catalogues.mapping) == (("de", "fr"), "")


def test_a_blueprint_that_is_imported_by_another_name_keeps_its_prefix(tmp_path: Path) -> None:
    members = (
        "from flask import Blueprint\nbp = Blueprint('members', __name__)\nEVENTS = [{'id': 1}, {'id': 2}]\n"
        "@bp.get('/event/<int:ident>')\ndef event(ident):\n    return ''\n"
    )
    factory = (
        "def create_app():\n    from .members import bp as members\n"
        "    app.register_blueprint(members, url_prefix='/members')\n"
    )
    files = {"club/__init__.py": factory, "club/members/__init__.py": members, "club/other.py": "bp = 1\n"}
    found = find(checkout(tmp_path, files))
    assert [one.page for one in found.registries] == ["/members/event/{id}"]


def test_a_page_is_known_by_its_views_name_where_its_path_does_not_tell(tmp_path: Path) -> None:
    view = "@app.get('/%s/<slug>')\ndef %s(slug):\n    return slug\n"
    text = f"{APP}RECIPES = [{SLIP % 'a'}, {SLIP % 'b'}]\n{view % ('r', 'show_recipe')}{view % ('x', 'other')}"
    assert [one.page for one in find(checkout(tmp_path, {"app.py": text})).registries] == ["/r/{slug}"]


def test_a_folder_that_is_no_checkout_or_has_no_commit_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="not the top of a git checkout"):
        find(tmp_path)
    git(tmp_path, "init", "--quiet", ".")
    with pytest.raises(ConfigError, match="no commit yet"):
        find(tmp_path)


def test_a_place_that_is_no_checkouts_top_is_told_by_what_it_is(tmp_path: Path) -> None:
    site = checkout(tmp_path / "one site", {"web/app.py": APP})
    git(tmp_path, "init", "--quiet", "--bare", "bare.git")
    for folder, told in (
        (site / "web", f"is a part of the checkout at {site}: run `plusone init '{site}'`"),
        (site / "web/app.py", "is no folder"),
        (site / "none", "is no folder"),
        (tmp_path / "bare.git", "is a bare repository"),
    ):
        with pytest.raises(ConfigError) as caught:
            find(folder)
        assert str(caught.value).startswith(f"{folder} {told}")


def test_a_remote_with_a_credential_is_told_without_it(tmp_path: Path) -> None:
    site = checkout(tmp_path, {"app.py": APP})
    git(site, "remote", "set-url", "origin", "https://me:hunter2@example.org/x.git")
    trouble = find(site).checkout.trouble
    assert "holds a credential" in trouble and "hunter2" not in trouble


def test_variables_that_the_application_reads_and_cannot_do_without(tmp_path: Path) -> None:
    files = {
        "app.py": APP + "from inner import a\nimport os\nX = os.environ.get('HERE', 1)\n",
        "inner/__init__.py": "",
        "inner/a.py": "from .. import no\nfrom . import b, c\nfrom os import getenv\nY = getenv('ALSO')\n",
        "inner/b.py": "from os import environ\nZ = environ['THERE']\n",
        "inner/c.py": "def serve(environ):\n    return environ['PATH_INFO']\n",
        "other.py": "import os\nA = os.environ['HERE'], os.environ['ELSEWHERE']\n",
    }
    assert find(checkout(tmp_path, files)).variables == ("HERE", "THERE")


def test_what_git_does_not_hold_and_the_site_may_need(tmp_path: Path) -> None:
    site = checkout(tmp_path, {"app.py": APP, "kept.db": "x"})
    (site / "instance").mkdir()
    (site / "site.sqlite3").touch()
    found = find(site)
    assert found.untracked == ("instance/", "site.sqlite3")
    made = written(found)
    assert [line.partition(" ")[0] for line in made.missing] == ["python", "provide"]


@pytest.mark.parametrize(
    ("folder", "url", "name"),
    [
        ("harbour", "git@example.org:us/lights.git", "harbour"),
        ("app", "git@example.org:us/harbour-lights.git", "harbour-lights"),
        ("App", "git@example.org:lights", "lights"),
        ("site", "", "above"),
    ],
)
def test_a_name_that_any_site_could_have_gives_way(folder: str, url: str, name: str, tmp_path: Path) -> None:
    site = checkout(tmp_path / "above", {"app.py": APP})
    git(site, "remote", "remove", "origin")
    if url:
        git(site, "remote", "add", "origin", url)
    assert find(site.rename(site.with_name(folder))).name == name
