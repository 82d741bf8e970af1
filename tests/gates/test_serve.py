"""The stand-alone server, run as the plain process that it is."""

from __future__ import annotations

import json
import os
import py_compile
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

import gates
from bot.model import Origin, Request, Response
from gates import frames

SERVE = str(Path(gates.__file__).parent / "serve.py")
APP = "from flask import Flask\napp = Flask(__name__)\n@app.route('/')\ndef home(): return 'here'\n"
FACTORY = (
    APP.replace("app = ", "def create_app(name='x'):\n  app = ").replace("\n@", "\n  @").replace("\ndef h", "\n  def h")
)


def spoken(tree: Path, app: str, asked: Sequence[Request] = (), path: Sequence[str] = (".",)) -> list[bytes]:
    """Every frame that the server sends."""
    sent = [frames.request(one, 1.0) for one in asked]
    ran = subprocess.run(
        [sys.executable, "-I", "-B", SERVE, json.dumps({"app": app, "path": list(path)})],
        input=b"".join(len(frame).to_bytes(4, "big") + frame for frame in sent),
        cwd=tree,
        capture_output=True,
        timeout=30,
    )
    found, rest = [], ran.stdout
    while rest:
        size = int.from_bytes(rest[:4], "big")
        found.append(rest[4 : 4 + size])
        rest = rest[4 + size :]
    assert found, ran.stderr
    return found


def answers(tree: Path, text: str, *asked: Request) -> list[Response]:
    (tree / "app.py").write_text("from flask import *\napp = Flask(__name__)\n" + text)
    return [frames.response(frame) for frame in spoken(tree, "app", asked)[1:]]


def tree_of(tmp_path: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("app", "files"),
    [
        ("app", {"app.py": APP}),
        ("app:app", {"app.py": APP}),
        ("lights:application", {"lights/__init__.py": APP + "application = app\n"}),
        ("app", {"app.py": FACTORY + "  return app\n"}),
        ("app:create_app", {"app.py": FACTORY + "  return app\n"}),
        ("app:create_app(name='y')", {"app.py": FACTORY + "  assert name == 'y'\n  return app\n"}),
        ("pkg/app.py", {"pkg/__init__.py": "", "pkg/app.py": APP}),
        ("pkg/app.py:app", {"pkg/app.py": APP}),
        ("other", {"json.py": "raise SystemExit", "other.py": "import json\n" + APP.replace("app", "other")}),
    ],
)  # fmt: skip
def test_the_application_is_found_as_flask_finds_it(tmp_path: Path, app: str, files: dict[str, str]) -> None:
    greeting, answer = spoken(tree_of(tmp_path, files), app, [Request("GET", "/")])
    assert isinstance(frames.hello(greeting), frames.Hello)
    assert frames.response(answer).body == b"here"


@pytest.mark.parametrize(
    ("text", "kind", "file", "words"),
    [
        ("import os\n1 / 0\n", "ZeroDivisionError", "app.py", "division"),
        ("def x(:\n", "SyntaxError", "app.py", ""),
        ("import sys\nsys.exit(0)\n", "SystemExit", "app.py", "0"),
        ("x = 1\n", "Unusable", "", "no Flask application"),
    ],
)
def test_a_site_that_does_not_load_says_why(tmp_path: Path, text: str, kind: str, file: str, words: str) -> None:
    (frame,) = spoken(tree_of(tmp_path, {"app.py": text}), "app")
    error = frames.hello(frame)
    assert isinstance(error, Origin)
    assert (error.type, error.file) == (kind, file) and words in error.message


def test_a_module_from_elsewhere_is_refused(tmp_path: Path) -> None:
    error = frames.hello(spoken(tmp_path, "flask.app")[0])
    assert isinstance(error, Origin) and "not in the tree" in error.message


def test_a_compiled_file_in_the_tree_is_never_believed(tmp_path: Path) -> None:
    tree = tree_of(tmp_path, {"app.py": APP.replace("here", "stale"), "lost.py": "x = 1\n"})
    py_compile.compile(str(tree / "app.py"), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    py_compile.compile(str(tree / "lost.py"), cfile=str(tree / "lost.pyc"))
    os.unlink(tree / "lost.py")
    (tree / "app.py").write_text(APP)
    assert frames.response(spoken(tree, "app", [Request("GET", "/")])[1]).body == b"here"
    (tree / "app.py").write_text("import lost\n" + APP)
    assert isinstance(frames.hello(spoken(tree, "app")[0]), Origin)


def test_a_request_arrives_whole(tmp_path: Path) -> None:
    text = """
@app.post("/echo/<path:p>")
def echo(p):
    r, body = request, request.get_data(as_text=True)
    return jsonify(p=p, q=r.args["q"], host=r.host, body=body, ck=r.cookies["k"], l=r.headers["X-L"])
"""
    asked = Request("POST", "/echo/a%2Fb%20%C3%A9?q=1", "x.example:81", (("X-L", "zh"),), (("k", "v"),), b"body")
    (answer,) = answers(tmp_path, text, asked)
    assert json.loads(answer.body) == {
        "p": "a/b é",
        "q": "1",
        "host": "x.example:81",
        "body": "body",
        "ck": "v",
        "l": "zh",
    }
    assert (answer.status, answer.endpoint) == (200, "echo")


def test_what_a_view_does_badly_is_an_answer(tmp_path: Path) -> None:
    text = """
import time, sys, itertools
@app.get("/raise")
def fails():
    return {}["tides"]
@app.get("/exit")
def leaves(): sys.exit()
@app.get("/sleep")
def sleeps():
    try: time.sleep(9)
    except Exception: return "fine"
@app.get("/endless")
def endless(): return Response(b"x" * 65536 for _ in itertools.count())
@app.get("/print")
def prints(): print("noise"); sys.stdin.read(); return "quiet"
@app.errorhandler(KeyError)
def lies(error): return "all is well", 200
"""
    urls = ("/raise", "/exit", "/sleep", "/endless", "/print", "/none")
    raised, left, slept, endless, printed, none = answers(tmp_path, text, *(Request("GET", url) for url in urls))
    assert (raised.status, raised.origin) == (200, Origin("KeyError", "app.py", 7, "'tides'"))
    assert left.status == 500 and left.origin is not None and left.origin.type == "SystemExit"
    assert slept.status == 0 and slept.origin is not None and slept.origin.type.endswith("TooSlow")
    assert (endless.status, len(endless.body)) == (200, 8 * 1024**2 + 1)
    assert (printed.body, none.status, none.endpoint, none.origin) == (b"quiet", 404, None, None)


def test_static_folders_are_told_by_their_view_wherever_they_hang(tmp_path: Path) -> None:
    text = """
from flask import Blueprint, Flask
app = Flask(__name__, static_url_path="/files")
inner = Blueprint("inner", __name__, static_folder="assets", url_prefix="/inner")
outer = Blueprint("outer", __name__, url_prefix="/outer")
outer.register_blueprint(inner)
app.register_blueprint(outer)
elsewhere = Blueprint("elsewhere", __name__, static_folder="/usr", url_prefix="/usr")
app.register_blueprint(elsewhere)
@app.route("/x/<path:filename>")
def static_like(filename): return filename
"""
    hello = frames.hello(spoken(tree_of(tmp_path, {"app.py": text}), "app")[0])
    assert isinstance(hello, frames.Hello)
    assert set(hello.statics) == {
        frames.Static("/files/<path:filename>", "static"),
        frames.Static("/outer/inner/assets/<path:filename>", "assets"),
    }
