"""How an application is put together: what the probe tells of it, and what of a difference takes something."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.model import Claim
from guards.wired_as_before import wired_as_before
from tests.support.changes import told
from tests.support.holdings import BASE, facts, line, probed, write

APP = """
from flask import Flask
app = Flask(__name__)
app.secret_key = "of base"
def loud(text): return text.upper()
app.add_template_filter(loud)
@app.get("/")
def home(): return "lights"
@app.context_processor
def year(): return {}
"""
CLAIM = Claim("feature", "tides", "Tides.")
ALLOWED = {
    "one more view": '@app.get("/tides")\ndef tides(): return "high"',
    "one more filter": "app.jinja_env.filters['low'] = loud",
    "one more context processor": "@app.context_processor\ndef month(): return {}",
    "one more setting": "app.config['TIDES'] = 4",
    "a blueprint with hooks of its own": (
        "from flask import Blueprint\nb = Blueprint('tides', 'tides')\n"
        "@b.get('/t')\ndef t(): return 't'\n@b.before_request\ndef f(): ...\napp.register_blueprint(b)"
    ),
    "more of the library": "import csv, decimal, fractions, statistics, tempfile, wsgiref.handlers",
    "a record": "from typing import NamedTuple\nclass Tide(NamedTuple):\n    height: int",
    "the same once more": "app.add_template_filter(loud)",
}
REFUSED = {
    "view home": "vars(app)['view_' + 'functions']['home'] = loud",
    "filter loud": "app.jinja_env.filters['loud'] = lambda text: text",
    "filter upper": "app.add_template_filter(loud, 'upper')",
    "global url_for": "app.jinja_env.globals.update(url_for=loud)",
    "test defined": "app.jinja_env.tests['defined'] = loud",
    "hook  before_request_funcs": "app.__dict__['before_' + 'request_funcs'].setdefault(None, []).append(loud)",
    "hook  error 404 NotFound": "getattr(app, 'error' + 'handler')(404)(loud)",
    "part jinja_env.loader": "from jinja2 import DictLoader\napp.jinja_env.loader = DictLoader({})",
    "part application": "class Kind(Flask): ...\napp.__class__ = Kind",
    "part session_interface": "class Kept(type(app.session_interface)): ...\napp.session_interface = Kept()",
    "part url_map.strict_slashes": "app.url_map.strict_slashes = False",
    "converter default": "app.url_map.converters['default'] = app.url_map.converters['path']",
    "setting SECRET_KEY": "app.config.update(SECRET_KEY='another')",
    "processor  app.year": "app.template_context_processors[None].pop()",
    "own full_dispatch_request": "app.__dict__['full_dispatch_request'] = lambda: loud('')",
    "signal request_started": "import flask.signals as s\ns.request_started.connect(loud, app)",
    "patch flask.app.Flask.make_response": "setattr(type(app), 'make_' + 'response', loud)",
    "patch textwrap.dedent": "import textwrap\ntextwrap.dedent = loud",
    "patch flask.app.Flask.dispatch_request": (
        "from unittest import mock\nmock.patch('flask.Flask.dispatch_request').start()"
    ),
}


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return wiring(tmp_path_factory.mktemp("base"), "")


def wiring(root: Path, more: str) -> dict[str, str]:
    answer = probed(write(root, {"app.py": f"{APP}{more}\n"}))
    assert answer["ok"], answer
    found: dict[str, str] = answer["wiring"]
    return found


def subjects(base: dict[str, str], now: dict[str, str], text: str, *restless: str) -> list[str]:
    sides = replace(BASE, wiring=now), CLAIM, replace(BASE, wiring=base)
    given = facts(*sides, added=(line(text, "app.py"),), restless=frozenset(restless))
    return [one.removeprefix("rewired: ") for one in told(wired_as_before, given)]


@pytest.mark.parametrize("name", ALLOWED)
def test_what_stands_beside_the_old_is_an_addition(name: str, base: dict[str, str], tmp_path: Path) -> None:
    assert subjects(base, wiring(tmp_path, ALLOWED[name]), ALLOWED[name]) == []


@pytest.mark.parametrize("subject", REFUSED)
def test_what_stands_in_place_of_the_old_is_refused_however_it_got_there(
    subject: str, base: dict[str, str], tmp_path: Path
) -> None:
    assert subject in subjects(base, wiring(tmp_path, REFUSED[subject]), REFUSED[subject])


MADE_UP = ({"setting SECRET_KEY": "a"}, {"setting SECRET_KEY": "b"})


@pytest.mark.parametrize("text", ["app.config['TIDES'] = 4", "app.config.update(TIDES=4)", 'x = app.config["STATION"]'])
def test_a_setting_that_each_process_makes_up_is_no_matter_whatever_else_is_set(text: str) -> None:
    assert subjects(*MADE_UP, text, "setting SECRET_KEY") == []


@pytest.mark.parametrize(
    ("text", "restless"), [("app.secret_key = token()", True), ("c['SECRET_' + 'KEY'] = 'x'", False)]
)
def test_a_setting_is_held_where_a_change_names_it_or_it_no_longer_varies(text: str, restless: bool) -> None:
    told = ["setting SECRET_KEY"]
    assert subjects(*MADE_UP, text, *(told if restless else ())) == told


@pytest.mark.parametrize("name", ["SESSION_COOKIE_SECURE", "TRUSTED_HOSTS", "WTF_CSRF_ENABLED", "DEBUG"])
def test_what_flask_goes_by_is_held_even_where_no_line_of_python_sets_it(name: str) -> None:
    assert subjects({f"setting {name}": "a"}, {f"setting {name}": "b"}, "import csv") == [f"setting {name}"]
    assert subjects({f"setting {name}": "a"}, {}, "import csv") == [f"setting {name}"]


def test_content_among_the_settings_grows_by_an_addition() -> None:
    assert subjects({"setting NAVIGATION": "a"}, {"setting NAVIGATION": "b"}, '    ("Tides", "/tides"),') == []


def test_what_the_library_keeps_is_no_patch(base: dict[str, str]) -> None:
    assert [key for key in base if key.startswith("patch ")] == []


def test_no_setting_is_told_by_its_value(base: dict[str, str]) -> None:
    assert "of base" not in str(base)


def test_where_nobody_asked_nothing_is_compared() -> None:
    assert told(wired_as_before, facts(BASE, CLAIM, replace(BASE, wiring={"view home": "app.home"}))) == []


ODD = (
    "held = []; held.append(held)\n"
    "app.config.update(BINDS={None: 'sqlite://', 'x': 1, 2: b'y', ('a', 3): {4.0, 5}}, SELF=held)\n"
    "app.config['TREE'] = [{'a': (1, {2: 3})}]"
)


def test_settings_of_any_shape_are_told_the_same_twice(tmp_path: Path, base: dict[str, str]) -> None:
    first, again = wiring(tmp_path / "one", ODD), wiring(tmp_path / "two", ODD)
    assert {"setting BINDS", "setting SELF", "setting TREE"} == set(first) - set(base)
    assert first == again


def test_another_value_deep_in_a_setting_is_another_setting(tmp_path: Path) -> None:
    first, other = wiring(tmp_path / "one", ODD), wiring(tmp_path / "two", ODD.replace("{2: 3}", "{2: 4}"))
    assert {key for key in first if first[key] != other[key]} == {"setting TREE"}


UNREADABLE = {
    "a proxy without its context": (
        "from werkzeug.local import LocalProxy\napp.jinja_env.globals['odd'] = LocalProxy(lambda: 1 / 0)",
        "global odd",
    ),
    "a class of its own mind": (
        "class Odd:\n    __class__ = property(lambda self: 1 / 0)\napp.jinja_env.globals['odd'] = Odd()",
        "global odd",
    ),
    "a metaclass that raises": (
        "class Kind(type):\n    __module__ = property(lambda self: exit(3))\n"
        "class Odd(metaclass=Kind): ...\nimport textwrap\ntextwrap.odd = Odd",
        "patch textwrap.odd",
    ),
    "a view that raises when it is asked": (
        "class View:\n    def __getattr__(self, key): raise ImportError(key)\n    def __call__(self): return ''\n"
        "app.view_functions['home'] = View()",
        "view home",
    ),
    "a table that breaks off": (
        "class Signals(dict):\n    def items(self): raise RuntimeError('no')\n"
        "app.jinja_env.globals = Signals(app.jinja_env.globals)",
        "unread pages",
    ),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_thing_that_cannot_be_read_is_told_as_that_and_takes_nothing_with_it(
    name: str, base: dict[str, str], tmp_path: Path
) -> None:
    text, key = UNREADABLE[name]
    odd = wiring(tmp_path, text)
    assert odd[key] == "what cannot be read"
    assert {"part application", "setting SECRET_KEY", "view home"} <= set(odd)
    assert subjects(odd, dict(odd), text) == []
    if not key.startswith("global "):  # one more global is an addition, whatever it is
        assert key in subjects(base, odd, text)
    assert key in subjects({**odd, key: "app.once"}, odd, text)


def test_a_lazy_module_that_raises_takes_nothing_with_it(base: dict[str, str], tmp_path: Path) -> None:
    text = (
        "import sys, types\nclass Lazy(types.ModuleType):\n    def __getattr__(self, key): raise ImportError(key)\n"
        "    def __getattribute__(self, key): raise ImportError(key)\nsys.modules['elsewhere'] = Lazy('elsewhere')"
    )
    assert wiring(tmp_path, text) == base
