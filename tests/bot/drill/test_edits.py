"""How bad builders exchange pieces of the site's own pages."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from bot.drill.added import Added
from bot.drill.bad.edits import answer, behind, edited, exchanged, function, pages, spoilt, templates
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.model import Holdings, Rule, TreeEntry
from tests.support.settings import SOUND, loaded

VIEWS = '''\
@app.get("/é")
def lamps():
    """Ä lamp."""
    return render_template("lamps.html", lamps=LAMPS)


@app.get("/maybe")
def maybe():
    if LAMPS:
        return render_template("base.html")
    return "none"
'''
LAMPS = (
    '{% extends "base.html" %}\n{% if lamps %}<p>Lit</p>{% endif %}<!-- <p>Hidden</p> --><p>{{ n }}</p><p>Dark</p>\n'
)
FILES = {"app.py": VIEWS, "templates/lamps.html": LAMPS, "templates/base.html": "<body><p>Coast</p></body>"}
RULES = tuple(Rule(f"/{name}", view, ("GET",), module="app.py") for name, view in (("é", "lamps"), ("maybe", "maybe")))
NOTHING = Added({}, "page", "x")
TEXT = re.compile(r"<p>[^<]*[a-z][^<]*</p>")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    held = FILES
    entries = {path: TreeEntry("100644", path, len(text.encode())) for path, text in held.items()}
    settings = loaded(tmp_path, SOUND.replace("src/**", "**"))
    return Scene(settings, entries, Holdings((), RULES), lambda entry: held[entry.oid].encode())


def test_a_piece_is_exchanged_whatever_letters_stand_before_it() -> None:
    given = answer(VIEWS, "lamps")
    assert isinstance(given, ast.Call)
    assert exchanged(VIEWS, given, "'fine'") == VIEWS.replace('render_template("lamps.html", lamps=LAMPS)', "'fine'")


def test_a_function_that_decides_tells_no_answer() -> None:
    assert answer(VIEWS, "maybe") is None
    assert answer(VIEWS, "nobody") is None
    assert function("def broken(:", "broken") is None


def test_code_is_put_behind_a_function_as_deep_as_it_stands() -> None:
    deep = "def make():\n    def lamp():\n        return 1\n    return lamp\n"
    assert behind(deep, "lamp", "def bell():\n    return 2") == (
        "def make():\n    def lamp():\n        return 1\n\n    def bell():\n        return 2\n    return lamp\n"
    )
    ast.parse(behind(VIEWS, "maybe", "LAST = 1"))


def test_pages_and_the_templates_that_they_surely_show_are_found(scene: Scene) -> None:
    here = scene
    assert [(one.function, one.own, one.decorator) for one in pages(here)] == [
        ("lamps", "/é", "app.get"), ("maybe", "/maybe", "app.get"),
    ]  # fmt: skip
    assert templates(here) == ("templates/lamps.html", "templates/base.html")


def test_only_what_is_shown_in_any_case_is_spoilt(scene: Scene) -> None:
    added = spoilt(scene, NOTHING, TEXT, lambda _: "")
    assert added.files["templates/lamps.html"] == LAMPS.replace("<p>{{ n }}</p>", "")
    assert added.files["templates/base.html"] == "<body></body>"
    with pytest.raises(NotHere):
        spoilt(scene, NOTHING, re.compile("<table>"), lambda _: "")


def test_an_edit_that_changes_nothing_is_no_drill(scene: Scene) -> None:
    here = scene
    added = edited(NOTHING, here, "app.py", lambda text: text + "\n# one\n")
    assert edited(added, here, "app.py", lambda text: text + "# two\n").files["app.py"].endswith("# one\n# two\n")
    with pytest.raises(NotHere):
        edited(added, here, "app.py", lambda text: text)
