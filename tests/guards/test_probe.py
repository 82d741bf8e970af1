"""The probe, asked as a plain process: what it finds, and what it answers when a site misbehaves."""

from __future__ import annotations

import ast
import json
import os
import py_compile
from pathlib import Path
from typing import Any

import pytest

from tests.support.holdings import APP, ask, probed, write
from tests.support.source import ROOT


def entries(root: Path, data: str, name: str = "THINGS", **files: str) -> list[tuple[str, Any]]:
    write(root, {"app.py": APP, "data.py": data, **files})
    answer = probed(root, source={"object": f"data:{name}"})
    assert answer["ok"], answer
    return [(one["key"], json.loads(one["content"])) for one in answer["registries"][0]["entries"]]


def error(root: Path, files: dict[str, str], app: str = "app") -> Any:
    answer = probed(write(root, files), app)
    assert answer["ok"] is False, answer
    return answer["error"]


SHAPES = {
    "list of dicts": 'THINGS = [{"slug": "a", "n": 1}, {"slug": "b", "n": 2}]',
    "tuple of dicts": 'THINGS = ({"slug": "a", "n": 1}, {"slug": "b", "n": 2})',
    "dict with the key inside": 'THINGS = {1: {"slug": "a", "n": 1}, 2: {"slug": "b", "n": 2}}',
    "dataclasses": """
from dataclasses import dataclass
@dataclass
class T:
    slug: str
    n: int
THINGS = [T("a", 1), T("b", 2)]""",
    "named tuples": """
from collections import namedtuple
T = namedtuple("T", "slug n")
THINGS = [T("a", 1), T("b", 2)]""",
    "plain objects": """
class T:
    def __init__(self, slug, n):
        self.slug, self.n = slug, n
THINGS = [T("a", 1), T("b", 2)]""",
    "objects with slots": """
class T:
    __slots__ = ("slug", "n")
    def __init__(self, slug, n):
        self.slug, self.n = slug, n
THINGS = [T("a", 1), T("b", 2)]""",
    "pydantic models": """
from pydantic import BaseModel
class T(BaseModel, extra="allow"):
    slug: str
THINGS = [T(slug="a", n=1), T(slug="b", n=2)]""",
    "a generator": 'THINGS = ({"slug": slug, "n": n} for slug, n in (("a", 1), ("b", 2)))',
    "a generator function": """
def THINGS():
    yield {"slug": "a", "n": 1}
    yield {"slug": "b", "n": 2}""",
    "a method of an object": """
class Shelf:
    def all(self): return [{"slug": "a", "n": 1}, {"slug": "b", "n": 2}]
class data: THINGS = Shelf().all
THINGS = data.THINGS""",
    "a view of a mapping": 'THINGS = {1: {"slug": "a", "n": 1}, 2: {"slug": "b", "n": 2}}.values()',
    "a list of its own kind": """
from collections import UserList
THINGS = UserList([{"slug": "a", "n": 1}, {"slug": "b", "n": 2}])""",
    "what needs the application": """
from flask import current_app, url_for
def THINGS():
    assert current_app.name and url_for("static", filename="x")
    return [{"slug": "a", "n": 1}, {"slug": "b", "n": 2}]""",
    "a callable": 'def THINGS():\n    return [{"slug": "a", "n": 1}, {"slug": "b", "n": 2}]',
    "a mapping that is no dict": """
from types import MappingProxyType
THINGS = MappingProxyType({"x": {"slug": "a", "n": 1}, "y": {"slug": "b", "n": 2}})""",
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_registry_of_every_shape_reads_alike(tmp_path: Path, shape: str) -> None:
    assert entries(tmp_path, SHAPES[shape]) == [("a", {"slug": "a", "n": 1}), ("b", {"slug": "b", "n": 2})]


def test_a_mapping_gives_the_key_where_its_entries_have_none(tmp_path: Path) -> None:
    assert entries(tmp_path, 'THINGS = {"a": {"n": 1}, "b": "text"}') == [("a", {"n": 1}), ("b", "text")]


def test_a_key_may_be_an_index_or_a_computed_attribute(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "app.py": APP,
            "data.py": """
class T:
    def __init__(self, title): self.title = title
    @property
    def slug(self): return self.title.lower()
PAIRS = [("a", 1), ["b", 2]]
THINGS = [T("One"), T("Two")]
""",
        },
    )
    for source, keys in (
        ({"object": "data:PAIRS", "key": "0"}, ["a", "b"]),
        ({"object": "data:THINGS"}, ["one", "two"]),
    ):
        held = probed(tmp_path, source=source)["registries"][0]["entries"]
        assert [one["key"] for one in held] == keys


def test_members_of_an_enumeration_are_entries(tmp_path: Path) -> None:
    write(tmp_path, {"app.py": APP, "data.py": "from enum import Enum\nclass THINGS(Enum):\n    A = 1\n    B = 2\n"})
    held = probed(tmp_path, source={"object": "data:THINGS", "key": "name"})["registries"][0]["entries"]
    assert [one["key"] for one in held] == ["A", "B"] and held[0]["content"] != held[1]["content"]


def test_a_registry_without_an_end_is_told_and_not_waited_for(tmp_path: Path) -> None:
    data = "import itertools\nTHINGS = ({'slug': n} for n in itertools.count())"
    write(tmp_path, {"app.py": APP, "data.py": data})
    assert "or no end" in probed(tmp_path, source={"object": "data:THINGS"})["error"]["message"]


def test_equal_content_is_equal_text_whatever_the_order(tmp_path: Path) -> None:
    held = entries(tmp_path, 'THINGS = [{"slug": "a", "t": {3, 1, 2}, "n": 1}]')
    write(tmp_path, {"data.py": 'THINGS = [{"n": 1, "t": {2, 3, 1}, "slug": "a"}]'})
    answer = probed(tmp_path, source={"object": "data:THINGS"})
    assert json.loads(answer["registries"][0]["entries"][0]["content"]) == held[0][1]


def test_values_that_are_no_json_are_told_by_type_and_text(tmp_path: Path) -> None:
    data = """
import datetime, decimal
class Opaque: pass
class Lazy:
    def __init__(self, f): self._f = f
    def __str__(self): return self._f()
loop = []; loop.append(loop)
THINGS = [{"slug": "a", "day": datetime.date(2026, 11, 30), "d": decimal.Decimal("1.50"), "lazy": Lazy(lambda: "Hi"),
           "o": object(), "f": print, "loop": loop, "b": b"x", 7: "seven", "bad": "\\ud800"}]
"""
    held = entries(tmp_path, data)[0][1]
    assert held["day"] == {"<type>": "datetime.date", "<text>": "2026-11-30"}
    assert held["d"]["<text>"] == "1.50"
    assert held["lazy"] == {"<type>": "data.Lazy", "<text>": "Hi"}
    assert "0x" not in json.dumps(held["o"])
    assert held["f"]["<name>"] == "builtins.print"
    assert held["loop"] == [{"<bound>": "list"}]
    assert held["7"] == "seven"
    assert ascii(held["bad"]) == r"'\ud800'"


def test_the_second_slug_of_a_list_stands_twice(tmp_path: Path) -> None:
    assert [key for key, _ in entries(tmp_path, 'THINGS = [{"slug": "a"}, {"slug": "a", "t": 2}]')] == ["a", "a"]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        ("X = 1", "does not resolve"),
        ("THINGS = 7", "must be a list"),
        ('THINGS = "text"', "must be a list"),
        ("THINGS = [{'title': 'no slug'}]", "without the field 'slug'"),
        ("THINGS = ['a', 'b']", "without the field 'slug'"),
    ],
)
def test_a_registry_that_cannot_be_read_says_why(tmp_path: Path, data: str, what: str) -> None:
    write(tmp_path, {"app.py": APP, "data.py": data})
    answer = probed(tmp_path, source={"object": "data:THINGS"})
    assert what in answer["error"]["message"]


ROUTES = (
    APP
    + """
from flask import Blueprint
from flask.views import View
from views import about
app.config["SERVER_NAME"] = "lights.test"
app.add_url_rule("/about", view_func=about)
shop = Blueprint("shop", __name__, static_folder="s", url_prefix="/shop")
@shop.route("/<int:number>/<path:rest>", methods=["GET", "POST"], defaults={"page": 1})
def item(number, rest, page): return ""
app.register_blueprint(shop)
@app.route("/", subdomain="www", endpoint="static_page")
def static(): return ""
class Tide(View):
    def dispatch_request(self): return ""
app.add_url_rule("/tide", view_func=Tide.as_view("tide"))
"""
)


def test_the_url_map_is_told_with_everything_that_judges_need(tmp_path: Path) -> None:
    write(tmp_path, {"src/app.py": ROUTES, "src/views.py": 'def about(): return ""'})
    answer = probed(tmp_path, path=("src",))
    rules = {rule["endpoint"]: rule for rule in answer["rules"]}
    assert rules["static"]["static"] is True and rules["shop.static"]["static"] is True
    assert rules["static"]["converters"] == {"filename": "path"}
    assert rules["static_page"]["static"] is False and rules["static_page"]["host"] == "www"
    assert rules["about"]["module"] == "src/views.py" and rules["tide"]["module"] == "src/app.py"
    item = rules["shop.item"]
    assert item["rule"] == "/shop/<int:number>/<path:rest>" and item["module"] == "src/app.py"
    assert item["methods"] == ["GET", "HEAD", "OPTIONS", "POST"]
    assert item["arguments"] == ["number", "page", "rest"] and item["defaults"] == ["page"]
    assert item["converters"] == {"number": "int", "rest": "path"}
    assert rules["static"]["module"] == ""


APPS = {
    "harbour": APP,
    "harbour:app": APP,
    "harbour:other": APP.replace("app =", "other ="),
    "harbour:make": "from flask import Flask\ndef make(): return Flask(__name__)",
    "harbour:make('x', y=2)": "from flask import Flask\ndef make(x, y): return Flask(x + str(y))",
    "harbour.py": "from flask import Flask\ndef create_app(): return Flask(__name__)",
    "./harbour.py:application": APP.replace("app =", "application ="),
}


@pytest.mark.parametrize("spec", APPS)
def test_the_application_is_found_as_flask_finds_it(tmp_path: Path, spec: str) -> None:
    write(tmp_path, {"harbour.py": APPS[spec]})
    answer = probed(tmp_path, spec)
    assert answer["ok"], answer


def test_an_application_in_a_package_is_found_by_its_path(tmp_path: Path) -> None:
    write(tmp_path, {"src/lights/__init__.py": "", "src/lights/web.py": "from . import tides\n" + APP})
    write(tmp_path, {"src/lights/tides.py": ""})
    answer = probed(tmp_path, "src/lights/web.py")
    assert answer["ok"], answer


@pytest.mark.parametrize(
    ("spec", "text", "what"),
    [
        ("web", "", "no Flask application"),
        ("web", "from flask import Flask\na = Flask('a'); b = Flask('b')", "several"),
        ("web:gone", APP, "has no 'gone'"),
        ("web:1 + 1", APP, "neither a name nor a call"),
        ("web:x", "x = 7", "gave a int"),
        ("web:app(open('x'))", APP, "neither a name nor a call"),
    ],
)
def test_an_application_that_cannot_be_found_says_what_to_correct(
    tmp_path: Path, spec: str, text: str, what: str
) -> None:
    assert what in error(tmp_path, {"web.py": text}, spec)["message"]


def test_what_the_site_raises_is_told_with_its_last_line_in_the_tree(tmp_path: Path) -> None:
    found = error(tmp_path, {"app.py": "import deep.er\n", "deep/er.py": "import json\n\njson.loads('{')\n"})
    assert found["type"] == "json.decoder.JSONDecodeError"
    assert (found["file"], found["line"]) == ("deep/er.py", 3)


def test_a_syntax_error_is_told_where_it_is(tmp_path: Path) -> None:
    found = error(tmp_path, {"app.py": "import broken", "broken.py": "x = 1\ny = (\n"})
    assert (found["type"], found["file"], found["line"]) == ("SyntaxError", "broken.py", 2)


MISBEHAVIOUR = {
    "SystemExit": "import sys; sys.exit(0)",
    "KeyboardInterrupt": "raise KeyboardInterrupt",
    "ModuleNotFoundError": "import nothing_of_that_name",
    "RecursionError": "def f(): f()\nf()",
    "app.Sly": "class Sly(Exception):\n    def __str__(self): raise ValueError\nraise Sly",
}


@pytest.mark.parametrize("kind", MISBEHAVIOUR)
def test_whatever_the_import_does_is_an_answer(tmp_path: Path, kind: str) -> None:
    assert error(tmp_path, {"app.py": MISBEHAVIOUR[kind]})["type"] == kind


def test_prints_threads_and_exit_handlers_do_not_touch_the_answer(tmp_path: Path) -> None:
    noise = """
import atexit, os, sys, threading, time
print("hello"); os.write(1, b"raw"); sys.stdout.write(sys.stdin.read())
threading.Thread(target=time.sleep, args=(600,)).start()
atexit.register(lambda: os.write(1, b"late"))
"""
    write(tmp_path, {"app.py": APP + noise})
    assert probed(tmp_path)["ok"] is True


def test_a_site_that_ends_the_process_gives_no_answer(tmp_path: Path) -> None:
    write(tmp_path, {"app.py": "import os\nprint('all is well', flush=True)\nos._exit(0)"})
    assert ask(tmp_path) == b""


def test_the_site_cannot_shadow_the_standard_library(tmp_path: Path) -> None:
    write(tmp_path, {"app.py": "import json\n" + APP, "json.py": "raise SystemExit", "plain.py": "X = 1"})
    assert probed(tmp_path)["ok"] is True


def test_a_module_from_elsewhere_is_refused_by_name(tmp_path: Path) -> None:
    found = error(tmp_path, {}, "flask.app")
    assert "not in the tree" in found["message"] and "site.path" in found["message"]


def test_a_path_out_of_the_tree_is_refused(tmp_path: Path) -> None:
    write(tmp_path, {"app.py": APP})
    answer = probed(tmp_path, path=("..",))
    assert "not in the tree" in answer["error"]["message"]


def test_no_stale_bytecode_is_read(tmp_path: Path) -> None:
    """Case 28: an edit of equal length within the same second, with bytecode of the old text beside it."""
    data = write(tmp_path, {"app.py": APP, "data.py": 'THINGS = [{"slug": "aa"}]'}) / "data.py"
    os.utime(data, (1_000_000, 1_000_000))
    py_compile.compile(str(data))
    data.write_text('THINGS = [{"slug": "bb"}]')
    os.utime(data, (1_000_000, 1_000_000))
    held = probed(tmp_path, source={"object": "data:THINGS"})["registries"][0]["entries"]
    assert [one["key"] for one in held] == ["bb"]


def test_no_forged_bytecode_is_read_by_an_import_that_names_the_file(tmp_path: Path) -> None:
    """Bytecode that says of itself that it need not be checked, for a module that the site loads by its place."""
    data = write(tmp_path, {"data.py": 'THINGS = [{"slug": "forged"}]'}) / "data.py"
    py_compile.compile(str(data), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    by_place = """
import importlib.util
spec = importlib.util.spec_from_file_location("data", "data.py")
data = importlib.util.module_from_spec(spec)
spec.loader.exec_module(data)
THINGS = data.THINGS
"""
    write(tmp_path, {"app.py": by_place + APP, "data.py": 'THINGS = [{"slug": "true"}]'})
    held = probed(tmp_path, source={"object": "app:THINGS"})["registries"][0]["entries"]
    assert [one["key"] for one in held] == ["true"]


def test_an_installed_package_is_loaded_from_what_its_installer_compiled(tmp_path: Path) -> None:
    write(tmp_path, {"app.py": "import flask\nTHINGS = [{'slug': flask.__spec__.loader}]\n" + APP})
    held = probed(tmp_path, source={"object": "app:THINGS"})["registries"][0]["entries"]
    assert "Installed" in held[0]["key"]


def test_bytecode_without_its_source_is_no_module_of_the_tree(tmp_path: Path) -> None:
    data = write(tmp_path, {"app.py": "import hidden\n" + APP, "hidden.py": "X = 1"}) / "hidden.py"
    py_compile.compile(str(data), cfile=str(tmp_path / "hidden.pyc"))
    data.unlink()
    assert error(tmp_path, {})["type"] == "ModuleNotFoundError"


@pytest.mark.parametrize("name", ["guards/probe.py", "guards/plain.py", "guards/wiring.py", "gates/loading.py"])
def test_the_files_that_sites_run_keep_to_the_old_syntax_and_the_standard_library(name: str) -> None:
    tree = ast.parse((ROOT / name).read_text(), feature_version=(3, 9))
    assert not any(isinstance(node, ast.Match) for node in ast.walk(tree))
    roots = {(node.module or "").split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert not roots & {"bot", "guards", "gates", "ledger", "pydantic"}
