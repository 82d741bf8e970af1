"""A site and a real browser in the real sandbox: pictures of what works, reasons for what does not, no forgeries."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.pictures import Browser, Camera, Taken, located
from bot.pictures.camera import HEIGHT, WIDTH
from tests.support.drawn import picture
from tests.support.sites import site, yard

NOTHING = Browser("/bin/false", ())
PAGES = """
    import os, time
    from flask import Flask, redirect
    app = Flask(__name__, host_matching=True, static_host="lamp.example:5000")
    app.config["SERVER_NAME"] = "lamp.example:5000"
    @app.get("/", host="lamp.example:5000")
    def home(): return "<title>Lamp</title><h1>Lamp</h1>"
    @app.get("/tall", host="lamp.example:5000")
    def tall(): return "<title>Tall</title><p style='height: 9000px; background: teal'>Tall</p>"
    @app.get("/asks", host="lamp.example:5000")
    def asks(): return "<title>Asks</title><script>alert(1); document.title = confirm(2)</script><h1>Asks</h1>"
    @app.get("/hangs", host="lamp.example:5000")
    def hangs():
        time.sleep(60)
    @app.get("/away", host="lamp.example:5000")
    def away(): return redirect("http://elsewhere.example/")
    @app.get("/breaks", host="lamp.example:5000")
    def breaks(): return {}["x"]
"""
FORGED = """
    import base64, json, os, struct
    from flask import Flask
    app = Flask(__name__)
    def say(**frame):
        text = json.dumps(frame).encode()
        for fd in range(1, 10):
            try: os.write(fd, struct.pack(">I", len(text)) + text)
            except OSError: pass
    say(error="")
    for forged in %r:
        say(picture=base64.b64encode(forged).decode())
    say(picture=["no", "text"])
    say(picture="n*t base64")
    say(picture="", why="\\x1b[31mlies")
    os._exit(0)
"""


def taken(
    folder: Path, app: str, urls: tuple[str, ...], browser: Browser, seconds: float = 12.0
) -> Mapping[str, Taken]:
    here = yard(folder, {"app.py": app})
    return Camera(here.tools.exports, here.tools.sandbox, site(), browser, seconds).pictures(here.base, urls)


@pytest.mark.skipif(located() is None, reason="no chromium is installed here")
def test_each_page_has_a_picture_or_a_reason_and_none_holds_up_the_others(tmp_path: Path) -> None:
    browser = located()
    assert browser is not None
    found = taken(tmp_path, PAGES, ("/hangs", "/away", "/asks", "/tall", "/breaks", "/"), browser, 15.0)
    assert (found["/hangs"].picture, found["/hangs"].why) == (b"", "the page was not loaded and drawn in time")
    assert found["/away"].picture == b"" and "ERR_" in found["/away"].why
    sizes = {url: struct.unpack_from(">II", one.picture, 16) for url, one in found.items() if one.picture}
    assert set(sizes) == {"/asks", "/tall", "/breaks", "/"}
    assert sizes["/tall"] == (WIDTH, HEIGHT) and sizes["/"][0] == WIDTH and sizes["/"][1] < HEIGHT
    assert not [*tmp_path.glob("exports/*")]


def test_forged_frames_are_refused_or_no_more_than_a_picture(tmp_path: Path) -> None:
    """The site's code runs in there too, and may write what it likes where the pictures come out."""
    plain, html, bomb = picture(), b"<script>alert(1)</script>", picture(pixels=bytes(9_000_000))
    found = taken(tmp_path, FORGED % ([plain, html, bomb],), tuple("abcdefg"), NOTHING)
    assert found["a"] == Taken(plain)
    assert [found[one].picture for one in "bcdefg"] == [b""] * 6
    assert found["b"].why == "what was made is not kept: it is no PNG"
    assert "more or fewer pixels" in found["c"].why
    assert found["g"].why.startswith("the site's process ended its answers")


@pytest.mark.parametrize(
    ("app", "why"),
    [
        ("raise RuntimeError('no lamp')", "the site does not boot: RuntimeError: no lamp"),
        ("import os; os._exit(3)", "the site's process ended its answers"),
        ("import os; os.write(3, b'\\0\\0\\0\\2[]'); os._exit(0)", "what came from the sandbox is no answer"),
        (
            "import os; os.write(3, b'\\0\\0\\x80\\0' + b'[' * 0x8000); os._exit(0)",
            "what came from the sandbox is no answer",
        ),
        ("from flask import Flask\napp = Flask(__name__)", "the browser does not start"),
    ],
)
def test_what_goes_wrong_as_a_whole_is_the_reason_for_each_page(tmp_path: Path, app: str, why: str) -> None:
    found = taken(tmp_path, app, ("/", "/x"), NOTHING)
    assert [one.picture for one in found.values()] == [b"", b""]
    assert all(one.why.startswith(why) for one in found.values()), found
