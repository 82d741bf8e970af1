"""Sites that cheat: each trick against the judge that sits outside, through the real sandbox.

Whatever a site says of itself is worth nothing; only answers like base's own count. The last rows are known to pass:
they are asserted, so that a change of it is noticed.
"""

from __future__ import annotations

import pytest

from bot.model import Claim
from tests.support.sites import Yard, site, yard

CLAIM = Claim("feature", "tides", "Adds tides.", routes=("/tides",))
APP = """
from flask import Flask
app = Flask(__name__)
@app.get("/")
def home(): return "<title>Lights</title><h1>Lights</h1><p>Ten lights on this coast.</p>"
@app.get("/about")
def about(): return "<title>About</title><h1>About</h1><p>A society of volunteers.</p>"
"""
GOOD = APP + '@app.get("/tides")\ndef tides(): return "<title>Tides</title><h1>Tides</h1><p>High at noon.</p>"\n'
BROKEN = GOOD.replace('return "<title>About', 'return 1 / 0 or "<title>About')
HERE = site(sources=())

FORGED = """
import base64, json, os, struct, sys
def served():
    frame = sys._getframe()
    while frame and "sink" not in frame.f_locals: frame = frame.f_back
    return frame and frame.f_locals
def forged(status=200, body=b"<p>all is well</p>"):
    frame = json.dumps({"status": status, "headers": [["Content-Type", "text/html"]], "endpoint": "home",
                        "body": base64.b64encode(body).decode(), "origin": None}).encode()
    return struct.pack(">I", len(frame)) + frame
HELLO = {"host": "", "host_matching": False, "versions": "flask 3", "statics": [], "converters": []}
HELLO = json.dumps(HELLO).encode()
"""
EVERYWHERE = """
if served():
    for fd in range(1, 64):
        try: os.write(fd, struct.pack(">I", len(HELLO)) + HELLO + forged() * 50)
        except OSError: pass
    os._exit(0)
"""
STOLEN = """
if served():
    sink, source = served()["sink"], served()["source"]
    sink.write(struct.pack(">I", len(HELLO)) + HELLO); sink.flush()
    while True:
        head = source.read(4)
        if not head: os._exit(0)
        source.read(struct.unpack(">I", head)[0]); sink.write(forged()); sink.flush()
"""
CLIENT = """
import flask.testing
flask.testing.FlaskClient.open = lambda *a, **k: app.response_class("fine", 200)
"""
ALL_200 = """
app.wsgi_app = lambda environ, start: (start("200 OK", [("Content-Type", "text/html")]), [b"<p>fine</p>"])[1]
"""
FIVE_TO_TWO = """
plain = app.wsgi_app
def kinder(environ, start):
    return plain(environ, lambda status, *more: start("200 OK" if status[0] == "5" else status, *more))
app.wsgi_app = kinder
"""
HANDLER = '\n@app.errorhandler(500)\ndef fine(error): return "<p>fine</p>", 200\n'
HIDING = """
if served(): served()["loading"].origin = lambda error, root: None
"""

CAUGHT = {
    "an honest broken page": (BROKEN, "status-changed"),
    "exit at import": ("import os\nos._exit(0)\n", "site-broken"),
    "sys.exit at import": ("import sys\nsys.exit(0)\n", "site-broken"),
    "exit at the end": ("import atexit, os\natexit.register(os._exit, 0)\n" + BROKEN, "status-changed"),
    "records to every descriptor": (FORGED + EVERYWHERE + GOOD, "status-changed site-broken"),
    "a forged test client": (BROKEN + CLIENT, "status-changed"),
    "a stolen pipe": (FORGED + STOLEN + GOOD, "status-changed"),
    "200 to everything": (GOOD + ALL_200, "status-changed"),
    "500 made 200": (BROKEN + FIVE_TO_TWO, "exception-changed"),
    "a handler that lies": (BROKEN + HANDLER, "exception-changed"),
    "a handler that lies and hides": (FORGED + HIDING + BROKEN + HANDLER, "page-lost"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("cheats"), {"app.py": APP})


def codes(place: Yard, app: str) -> set[str]:
    snapshot, part = place.snapshot({"app.py": app}, CLAIM), place.routes(HERE)
    return {one.code for one in part.judge(place.ready(), snapshot)[0]}


def test_an_honest_addition_passes(place: Yard) -> None:
    assert codes(place, GOOD) == set()


@pytest.mark.parametrize("trick", CAUGHT)
def test_a_trick_is_caught(place: Yard, trick: str) -> None:
    app, code = CAUGHT[trick]
    assert codes(place, app) & set(code.split())


@pytest.mark.parametrize(
    "body",
    [
        'socket.gethostname() == "sandbox" and "<title>Tides</title><p>High at noon.</p>" or 1 / 0',
        'datetime.date.today().year < 2090 and "<title>Tides</title><p>High at noon.</p>" or 1 / 0',
        '"<title>Tides</title><p>The tide is what it is.</p>"',
    ],
    ids=["it knows the sandbox", "it waits for a day", "it always says the same"],
)
def test_known_to_pass(place: Yard, body: str) -> None:
    new = GOOD.replace('"<title>Tides</title><h1>Tides</h1><p>High at noon.</p>"', body)
    assert codes(place, "import datetime, socket\n" + new) == set()


def test_a_handler_that_lies_for_a_new_page_is_caught_and_one_that_hides_it_is_known_to_pass(place: Yard) -> None:
    lying = GOOD.replace("def tides(): return", "def tides(): return 1 / 0 or") + HANDLER.replace(
        "<p>", "<title>x</title>"
    )
    assert codes(place, lying) == {"new-page-fails"}
    assert codes(place, FORGED + HIDING + lying) == set()
