"""Code that reaches further than an addition needs is refused by its syntax tree; words about it are words."""

from __future__ import annotations

import sys

import pytest

from guards.jinja import code
from guards.static_rules import static_rules
from tests.support.changes import codes, told, written

PATCH = "another value for something of the framework"
HOOK = "a hook on every request"
ERRAND = "work or talk beyond the request"
SETTINGS = "reading the configuration"
PLACE = "a visitor's word taken for a place"
ACCEPTED: dict[str, tuple[str, str]] = {
    "a view": ("a.py", "@blueprint.get('/tides')\ndef tides():\n    return render_template('tides.html')\n"),
    "a text about eval": ("a.py", "TEXT = 'Never use eval(x), os.environ or subprocess; </p> {{ x|safe }}'"),
    "a comment about exec": ("a.py", "# exec(code) is what we do not do\nx = 1"),
    "a registry built by a loop": ("a.py", "ITEMS = []\nfor name in ('a', 'b'):\n    ITEMS.append({'slug': name})\n"),
    "a method called eval": ("a.py", "frame.eval('a + b')\nself.exec_ = 1"),
    "compiling an expression": ("a.py", "import re\nSHAPE = re.compile('a')\n"),
    "resources of the package": ("a.py", "from importlib import resources, metadata\nresources.files('lights')"),
    "a path": ("a.py", "import os\nHERE = os.path.join(os.getcwd(), 'a')\n"),
    "an attribute by name": (
        "a.py",
        "def show(entry, name):\n    return getattr(entry, name, getattr(entry, 'title'))",
    ),
    "a class's own name": ("a.py", "class A:\n    def kind(self):\n        return self.__class__.__name__"),
    "a context processor": ("a.py", "@app.context_processor\ndef year():\n    return {'year': 2026}"),
    "a module of the site": ("a.py", "from .signal import mast\nfrom lights.socket import lamp\n"),
    "a test that writes files and patches": (
        "tests/test_a.py",
        "from unittest import mock\nimport requests\ndef test(tmp_path):\n    (tmp_path / 'a').write_text('b')",
    ),
    "a file that is read": ("a.py", "def f(path):\n    with open(path, 'rb') as one, path.open('r') as two: ..."),
    "a text that is replaced": ("a.py", "x = 'a'.replace('b', 'c')\nname = window.open('door')"),
    "a lock, and addresses": (
        "a.py",
        "import threading\nfrom urllib.parse import quote\nfrom http import HTTPStatus\nLOCK = threading.Lock()",
    ),
    "a setting": (
        "a.py",
        "x = app.config['LANGUAGES']\ny = current_app.config.get('PAGE_SIZE', 9)\napp.config['A'] = 1",
    ),
    "a page that is looked up": (
        "a.py",
        "from flask import request\nq = request.args.get('q', '')\nredirect(url_for('search', q=q))\n"
        "redirect(LINKS[q])\nredirect(link(q))\nopen(PLACES[request.args['p']])\nrender_template('a.html', q=q)",
    ),
    "a secret setting that is given": ("a.py", "app.config['SECRET_KEY'] = make()\napp.config.from_object(x)"),
    "a page about Jinja": ("a.html", "<p>{% raw %}{{ x|safe }}{% endraw %} and {{ '|safe' }} and | safe</p>"),
    "an article with braces": ("a.md", "Write {{ body|safe }} and <script>eval(x)</script> at your own risk."),
    "a text file that is no template": ("static/a.txt", "{{ x|safe }}"),
    "an escaped value": ("a.html", "{{ body }} {{ body|e }} {{ unsafe }} {{ x|safest }}"),
    "where the visitor is": ("a.html", "{{ request.path }} {{ request.args.q }} {{ my_request.method }}"),
    "another's configuration": ("a.html", "{{ page.config.title }} {{ configure }}"),
    "what a view keeps": (
        "a.py",
        "from flask import g, session\nsession.permanent = True\ng.user = None\ng.menu.open = 1",
    ),
    "a value of the site's own, by name": ("a.py", "for name in NAMES:\n    setattr(lamp, name, 1)"),
    "a frozen record": ("a.py", "def __post_init__(self):\n    object.__setattr__(self, 'slug', 'a')"),
    "a class-based view": ("a.py", "class Tides(View):\n    def dispatch_request(self):\n        return 'low'"),
    "settings of the site's own": ("a.py", "from lights import lamps\nlamps.BRIGHT = 4\nthing.json.compact = True"),
    "a text about the process": ("a.py", "TEXT = 'On Linux /proc/self/fd lists what a program holds open.'"),
    "a folder like another": ("a.py", "PLACES = ['/process', '/proceedings/1904', '/dev/null', '/development']"),
    "an answer of the application's own class": (
        "a.py",
        "from flask import current_app\nreturned = current_app.response_class(lines(), mimetype='text/csv')",
    ),
    "a class of the old style": ("a.html", "{{ lamp.class }} {{ super() }} {% if not autoescaped %}{% endif %}"),
}
REJECTED: dict[str, tuple[str, str, str]] = {
    "an error handler": ("a hook on every request", "a.py", "@app.errorhandler(500)\ndef f(e):\n    return 'ok'"),
    "an error handler by call": ("a hook on every request", "a.py", "app.register_error_handler(500, f)"),
    "a blueprint's": ("a hook on every request", "a.py", "@bp.app_errorhandler(404)\ndef f(e): ..."),
    "before each request": ("a hook on every request", "a.py", "@app.before_request\ndef f(): ..."),
    "after each request": ("a hook on every request", "a.py", "hook = app.after_request\nhook(f)"),
    "a hook by name": ("a hook on every request", "a.py", "getattr(app, 'after_request')(f)"),
    "the table of hooks": ("a hook on every request", "a.py", "app.before_request_funcs[None] = [f]"),
    "middleware": ("a hook on every request", "a.py", "app.wsgi_app = Wrapper(app.wsgi_app)"),
    "an override": ("a hook on every request", "a.py", "class A(Flask):\n    def handle_exception(self, e): ..."),
    "a signal": ("a hook on every request", "a.py", "from flask import got_request_exception"),
    "an early exit": ("looking around in the process", "a.py", "import os\nos._exit(0)"),
    "an early exit, renamed": ("looking around in the process", "a.py", "from os import _exit as bye\nbye(0)"),
    "an exit by another way": ("looking around in the process", "a.py", "import sys\nsys.modules['os']._exit(0)"),
    "a command": ("the operating system", "a.py", "import os as o\no.system('ls')"),
    "a process": ("a module that reaches out of the site", "a.py", "import subprocess"),
    "a socket": ("a module that reaches out of the site", "a.py", "from socket import create_connection as c"),
    "an import in a function": ("a module that reaches out of the site", "a.py", "def f():\n    import ctypes.util"),
    "frames": ("looking around in the process", "a.py", "import sys\nsys._getframe(1)"),
    "a frame's globals": ("looking around in the process", "a.py", "e.__traceback__.tb_frame.f_back.f_globals"),
    "a patched class": (PATCH, "a.py", "from flask import Flask\nFlask.test_client = lambda self: Fine()"),
    "a patched class, renamed": (PATCH, "a.py", "import werkzeug.test as t\nC = t.Client\nC.open = fine"),
    "a patched function": (PATCH, "a.py", "import flask\nflask.abort = print"),
    "a patch by name": (PATCH, "a.py", "from flask import Flask\nsetattr(Flask, 'run', fine)"),
    "a patch by a name that is put together": (
        PATCH,
        "a.py",
        "from flask import Flask\nsetattr(Flask, 'dispatch_' + 'request', f)",
    ),
    "a patch by the type": (PATCH, "a.py", "from flask import Flask\ntype.__setattr__(Flask, NAME, f)"),
    "another view behind an old rule": ("a hook on every request", "a.py", "app.view_functions['home'] = f"),
    "all views, by call": ("a hook on every request", "a.py", "app.view_functions.update(home=f)"),
    "all views, by vars": ("a hook on every request", "a.py", "setattr(app, 'view_functions', {})"),
    "another answer for all": ("a hook on every request", "a.py", "app.response_class = Fine"),
    "another answer for all, by its fields": (HOOK, "a.py", "app.response_class.default_status = 500"),
    "another answer for all, by a method": (HOOK, "a.py", "app.response_class.force_type = fine"),
    "another answer for all, by a call": (HOOK, "a.py", "setattr(app.response_class, NAME, fine)"),
    "another answer for all, renamed": (HOOK, "a.py", "kind = app.response_class\nkind.default_status = 500"),
    "the answer's class by what it makes": (HOOK, "a.py", "make().response_class('').__class__.autocorrect = 1"),
    "a patched application": (PATCH, "a.py", "app.dispatch_request = lambda: 'fine'"),
    "a patched application by call": (PATCH, "a.py", "make().full_dispatch_request = fine"),
    "the framework taken away": (PATCH, "a.py", "from flask import Flask\ndel Flask.make_response"),
    "another's descriptor": ("the operating system", "a.py", "import os\nos.write(4, b'ok')"),
    "a descriptor put in place of another": ("the operating system", "a.py", "from os import dup2\ndup2(3, 4)"),
    "a descriptor by path": ("looking around in the process", "a.py", "open('/proc/self/fd/4', 'wb')"),
    "a device by path": ("looking around in the process", "a.py", "PLACE = '/dev/fd/3'"),
    "objects": ("looking around in the process", "a.py", "import gc as g\ng.get_objects()"),
    "classes": ("looking around in the process", "a.py", "().__class__.__mro__[1].__subclasses__()"),
    "eval": ("running text as code", "a.py", "x = eval(text)"),
    "eval by another name": ("running text as code", "a.py", "run = eval\nrun('1')"),
    "exec": ("running text as code", "a.py", "exec(text)"),
    "import by text": ("running text as code", "a.py", "__import__('o' + 's')"),
    "import by call": ("running text as code", "a.py", "import importlib\nimportlib.import_module(name)"),
    "a template from text": ("running text as code", "a.py", "from flask import render_template_string"),
    "the environment": ("the operating system", "a.py", "import os\nx = os.environ['HOME']"),
    "the environment by call": ("the operating system", "a.py", "from os import getenv\ngetenv('HOME')"),
    "the environment by name": ("the operating system", "a.py", "import os\ngetattr(os, 'environ')"),
    "all of os": ("the operating system", "a.py", "from os import *"),
    "a client": (ERRAND, "a.py", "import urllib.request"),
    "a client by its package": (ERRAND, "a.py", "from urllib import request as r\nr.urlopen(x)"),
    "a client of the library": (ERRAND, "a.py", "def f():\n    import http.client"),
    "a client that is installed": (ERRAND, "a.py", "import requests"),
    "letters": (ERRAND, "a.py", "from smtplib import SMTP"),
    "a thread": (ERRAND, "a.py", "import threading as t\nt.Timer(7200, f).start()"),
    "a thread, renamed": (ERRAND, "a.py", "from threading import Thread as T"),
    "a last word": (ERRAND, "a.py", "import atexit\natexit.register(f)"),
    "a patch by a tool of tests": ("a tool of tests", "a.py", "from unittest import mock\nmock.patch('flask.Flask')"),
    "a module that only looks like a test": ("changing files", "lights/tests/a.py", "path.unlink()"),
    "a file removed": ("changing files", "a.py", "import os as o\no.remove(x)"),
    "a folder removed": ("changing files", "a.py", "from shutil import rmtree"),
    "a file written": ("changing files", "a.py", "Path(x).write_text('')"),
    "a file opened to write": ("changing files", "a.py", "open(x, 'w')"),
    "a file opened to write, by path": ("changing files", "a.py", "Path(x).open(mode='ab')"),
    "a secret setting": (SETTINGS, "a.py", "x = current_app.config['SECRET_KEY']"),
    "a secret setting by call": (SETTINGS, "a.py", "x = app.config.get('MAIL_PASSWORD', '')"),
    "all settings": (SETTINGS, "a.py", "x = dict(current_app.config)"),
    "all settings by call": (SETTINGS, "a.py", "x = [*self.app.config.items()]"),
    "where the visitor says": (PLACE, "a.py", "from flask import request\nredirect(request.args['next'])"),
    "where the visitor said": (PLACE, "a.py", "import flask\nto = flask.request.form.get('to') or '/'\nredirect(to)"),
    "any file": (PLACE, "a.py", "from flask import request as r\nsend_file('texts/' + r.args['name'])"),
    "any file, put together": (PLACE, "a.py", "from flask import request\nopen(f\"texts/{request.args['name']}\")"),
    "any template": (PLACE, "a.py", "from flask import request\nrender_template(request.values['page'])"),
    "the key": (SETTINGS, "a.py", "x = current_app.secret_key"),
    "Markup": ("Markup", "a.py", "from markupsafe import Markup\nx = Markup(text)"),
    "Markup, renamed": ("Markup", "a.py", "import markupsafe as m\nx = m.Markup(text)"),
    "no escaping": ("escaping switched off", "a.py", "app.jinja_env.autoescape = False"),
    "no escaping by keyword": ("escaping switched off", "a.py", "Environment(autoescape=False)"),
    "safe": ("an unescaped value", "a.html", "<p>{{ body | safe }}</p>"),
    "safe in a statement": ("an unescaped value", "a.html", "{% set x = body|safe %}"),
    "safe in a markup comment": ("an unescaped value", "a.html", "<!-- {{ body|safe }} -->"),
    "safe over lines": ("an unescaped value", "a.jinja", "{{ body\n  |upper\n  |safe }}"),
    "safe without an end": ("an unescaped value", "a.html", "<p>{{ body|safe"),
    "safe in a feed": ("an unescaped value", "lights/templates/feed.xml", "{{ body|safe }}"),
    "autoescape": ("escaping switched off", "a.html", "{%- autoescape false %}{{ x }}{% endautoescape %}"),
    "classes in a page": ("looking around in the process", "a.html", "{{ ''.__class__.__mro__ }}"),
    "the configuration": ("reading the configuration", "a.html", "{{ config.SECRET_KEY }}"),
    "the whole configuration": ("reading the configuration", "a.html", "{{ config }}"),
    "robots told apart": (
        "telling visitors apart",
        "a.html",
        "{% if 'bot' in request.user_agent.string %}{% endif %}",
    ),
    "the environment in a page": ("reading the configuration", "a.html", "{{ request.environ }}"),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_ordinary_code_and_words_about_code_pass(name: str) -> None:
    assert told(static_rules, written(*ACCEPTED[name])) == []


@pytest.mark.parametrize("name", REJECTED)
def test_what_reaches_further_is_refused_and_what_base_does_is_not(name: str) -> None:
    kind, path, text = REJECTED[name]
    found = told(static_rules, written(path, text))
    assert f"static-rule: {kind}" in found
    assert told(static_rules, written(path, f"\n\n{text}\n", old=text)) == []
    assert f"static-rule: {kind}" in told(static_rules, written(path, f"{text}\n{text}", old=text))


def test_old_debt_does_not_pay_for_new_debt() -> None:
    old, new = "import os\nA = os.environ['A']\n", "import os\nA = os.environ['B']\n"
    (one,) = static_rules(written("a.py", new, old=old))
    assert (one.where, one.seen) == ("a.py:2", "os.environ['B']")


def test_a_local_name_may_change_beside_it() -> None:
    old = "import os\n\ndef f():\n    home = os.environ.get('HOME')\n    return home\n"
    assert told(static_rules, written("a.py", old.replace("home", "house"), old=old)) == []


@pytest.mark.parametrize("text", ["def f(:", "x = 'a\0b'".replace("\0", "\x00"), "(" * 5000, "-" * 100_000 + "1"])
def test_what_cannot_be_parsed_is_no_clean_file(text: str) -> None:
    assert codes(static_rules, written("a.py", text)) == {"python-unreadable"}
    assert codes(static_rules, written("a.py", text, old=text)) == set()
    assert codes(static_rules, written("a.py", f"import socket\n{text}", old=text)) == {"python-unreadable"}


def test_what_is_unreadable_is_told_with_the_python_that_read_it() -> None:
    (one,) = static_rules(written("a.py", "def f(:"))
    assert f"Python {sys.version_info.major}.{sys.version_info.minor} " in one.accept


def test_a_long_chain_is_read_to_its_end() -> None:
    assert codes(static_rules, written("a.py", "x" + ".a" * 300 + "._getframe")) == {"static-rule"}


def test_markup_comments_that_begin_thousands_of_times_are_read_to_their_end() -> None:
    assert [(line, said) for line, said in code("<!--\n" * 3000 + "{{ a|safe }}")] == [(3001, "{{ a|safe }}")]
