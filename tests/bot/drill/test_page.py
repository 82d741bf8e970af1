"""One more page of a made-up site: written beside its siblings, like them, and claimed as what it is."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from pathlib import Path

import pytest
from flask import Flask

from bot.drill.added import Added
from bot.drill.drill import Drill, NotHere
from bot.drill.good import answers, pages
from bot.drill.page import Page, linked, looks, page
from bot.drill.scene import Scene
from bot.drill.translated import translated
from bot.drill.view import spots
from bot.model import Holdings, Rule, TreeEntry
from tests.support.settings import loaded

SETTINGS = """\
[site]
name = "shelf"
app = "shop:app"

[cycle]
allow = ["shop.py", "templates/**", "locales/**", "static/**"]

[[addition]]
kind = "feature"
adds = { url_map = "0..2" }
"""
SHOP = """\
from flask import Flask, render_template

app = Flask(__name__)


@app.route("/")
def index():
    return render_template("index.html")


def make():
    made = Flask(__name__)

    @made.get("/inside")
    def inside():
        return "Inside."

    return made
"""
BASE = "<title>{% block name_title %}{% endblock %}</title>{% block main %}{% endblock %}"
INDEX = '{% extends "base.html" %}\n{% block name_title %}A{% endblock %}\n'
INDEX += "{% block main %}<p>All of it.</p>{% endblock %}\n"
PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n\nmsgid "A"\nmsgstr "B"\n'
FILES = {"shop.py": SHOP, "templates/base.html": BASE, "templates/index.html": INDEX, "locales/zh/LC_MESSAGES/m.po": PO}
RULES = (Rule("/", "index", ("GET",), module="shop.py"), Rule("/x/inside", "inside", ("GET",), module="shop.py"))
LETTERS = answers.LETTERS


def scene(folder: Path, files: Mapping[str, str] = FILES, rules: tuple[Rule, ...] = RULES) -> Scene:
    entries = {path: TreeEntry("100644", path, len(text)) for path, text in files.items()}
    return Scene(loaded(folder, SETTINGS), entries, Holdings((), rules), lambda one: files[one.oid].encode())


def running(added: Added, folder: Path, files: Mapping[str, str] = FILES) -> Flask:
    for path, text in {**files, **added.files}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    space: dict[str, object] = {"__name__": "shop"}
    exec(added.files["shop.py"], space)
    app = space["app"]
    assert isinstance(app, Flask)
    app.template_folder = str(folder / "templates")
    app.root_path = str(folder)
    return app


def test_a_place_is_found_for_each_object_that_rules_hang_on(tmp_path: Path) -> None:
    found = [(one.decorator, one.indent, one.prefix) for one in spots(scene(tmp_path))]
    assert found == [("app.route", 0, ""), ("made.get", 4, "/x")]


def test_a_prefix_of_the_sites_is_in_the_claim(tmp_path: Path) -> None:
    added = page(scene(tmp_path), Page("/new", "new", "return 'New.'"), at=1)
    assert (added.key, added.routes) == ("GET /x/new", ("/x/new",))
    assert "    @made.get(\"/new\")\n    def new():\n        return 'New.'\n" in added.files["shop.py"]


def test_what_flask_has_and_the_module_lacks_is_imported_where_it_is_used(tmp_path: Path) -> None:
    added = page(scene(tmp_path), LETTERS)
    assert (added.key, added.routes) == ("POST /letters", ("POST /letters",))
    client = running(added, tmp_path).test_client()
    assert client.post("/letters", data={"text": "four"}).get_json() == {"letters": 4}
    assert client.get("/letters").status_code == 405


def test_a_page_with_a_number_is_claimed_by_its_example(tmp_path: Path) -> None:
    added = page(scene(tmp_path), answers.MONTHS)
    client = running(added, tmp_path).test_client()
    assert (added.key, added.routes) == ("GET /months/<int:number>", ("/months/3",))
    assert client.get("/months/3").status_code == 200
    assert client.get("/months/13").status_code == 404


@pytest.mark.parametrize("drill", [*pages.PAGES, *answers.ANSWERS], ids=lambda one: one.name)
def test_no_line_of_new_code_is_longer_than_79_characters(drill: Drill, tmp_path: Path) -> None:
    try:
        turns = drill.compose(scene(tmp_path)).build
    except NotHere:
        return
    inputs = [block["input"] for turn in turns for block in turn]
    texts = [str(one.get("file_text", "")) for one in inputs if isinstance(one, dict)]
    code = [text for text in texts if text.startswith(("from", '"""'))]
    assert code
    for text in code:
        ast.parse(text)
        assert max(map(len, text.splitlines())) <= 79


def test_a_template_is_like_most_others(tmp_path: Path) -> None:
    shown = looks(scene(tmp_path))
    assert (shown.folder, shown.base, shown.title, shown.content) == ("templates/", "base.html", "name_title", "main")
    added = page(scene(tmp_path), pages.RENDERED).with_file(
        "templates/rounding-notes.html", shown.template("T", "<p>x</p>")
    )
    answer = running(added, tmp_path).test_client().get("/rounding-notes").get_data(as_text=True)
    assert "<title>T</title>" in answer and "<p>x</p>" in answer


def test_a_link_is_put_into_a_page_that_the_claim_names(tmp_path: Path) -> None:
    added = linked(scene(tmp_path), page(scene(tmp_path), Page("/new", "new", "return 'New.'")), "/new", "New")
    assert added.changes == ("/",)
    answer = running(added, tmp_path).test_client().get("/").get_data(as_text=True)
    assert '<p>All of it.</p><p><a href="/new">New</a></p>' in answer


def test_messages_are_translated_at_the_end_of_the_catalogue(tmp_path: Path) -> None:
    added = translated(
        scene(tmp_path), Added({}, "feature", "x"), {"New": {"zh": "新", "de": "Neu"}, "It is new.": {"de": "Neu."}}
    )
    text = added.files["locales/zh/LC_MESSAGES/m.po"]
    assert text.startswith(PO)
    assert 'msgid "New"\nmsgstr "新"' in text and 'msgid "It is new."\nmsgstr "It is new."' in text


def test_a_site_whose_views_may_not_be_touched_has_no_place(tmp_path: Path) -> None:
    with pytest.raises(NotHere):
        page(scene(tmp_path, {"other.py": SHOP}, (Rule("/", "index", ("GET",), module="other.py"),)), LETTERS)
