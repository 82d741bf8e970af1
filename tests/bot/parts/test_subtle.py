"""Changes that break a page without breaking it: each must be missed, in the real sandbox, all in one sweep."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import Claim
from tests.support.sites import Files, Yard, site, yard

CLAIM = Claim("", "", "")
APP = """
from flask import Flask, Response, redirect, request
app = Flask(__name__)
LIGHTS = ["east", "west", "north", "south"]
def page(head, body): return f"<html lang=en><title>Lights</title>{head}<body><h1>Lights</h1>{body}</html>"
@app.get("/")
def home(): return page("", "".join(f"<li><a href=/lights/{n}>The {n} light</a></li>" for n in LIGHTS))
@app.get("/all")
def every(): return page("", "".join(f"<li><a href=/lights/{n}>The {n} light</a></li>" for n in LIGHTS))
@app.get("/lights/<name>")
def light(name): return page(f"<link rel=canonical href=/lights/{name}>", name) if name in LIGHTS else ("no", 404)
@app.get("/described")
def described(): return page("<meta name=description content='All our lights'>", "")
@app.get("/listed")
def listed(): return page("", "listed")
@app.get("/form")
def form(): return page("", "<form method=post action=/send><input name=mail><button>Send</button></form>")
@app.get("/swapped")
def swapped(): return page("", "<p><a href=/listed>More</a> and <a href=/form>a form</a> for you</p>")
@app.get("/hidden")
def hidden(): return page("", "<p>Closed on Monday</p>")
@app.get("/styled")
def styled(): return page("", "<div><p>Open on Sunday</p></div>")
@app.get("/charset")
def charset(): return Response("<p>lamp", content_type="text/html; charset=utf-8")
@app.get("/robots")
def robots(): return page("", "robots")
@app.get("/download")
def download(): return Response("<p>lamp")
@app.get("/cookie")
def cookie():
    made = Response("<p>cookie")
    made.set_cookie("lamp", "on", httponly=True, samesite="Lax")
    return made
@app.get("/french")
def french(): return page("", "<p>Bienvenue" if request.accept_languages.best == "fr" else "<p>Welcome")
@app.get("/feed.xml")
def feed():
    items = "".join(f"<item><title>{n}</title><link>/lights/{n}</link></item>" for n in LIGHTS)
    return Response(f"<rss><channel>{items}</channel></rss>", mimetype="application/rss+xml")
@app.get("/sitemap.xml")
def sitemap():
    urls = "".join(f"<url><loc>/lights/{n}</loc></url>" for n in LIGHTS)
    return Response(f"<urlset>{urls}</urlset>", mimetype="application/xml")
@app.get("/base")
def base(): return page("", "<a href=listed>More</a>")
@app.post("/send")
def send(): return "sent"
@app.route("/ping", methods=["HEAD", "OPTIONS"])
def ping(): return ""
@app.get("/notes/<uuid:number>")
def notes(number): return f"note {number}"
"""
BREAKS = [
    ("/", "for n in LIGHTS))\n@app.get(\"/all", "for n in LIGHTS[:2]))\n@app.get(\"/all", "page-lost"),
    ("/lights/east", "<link rel=canonical href=/lights/{name}>", "<link rel=canonical href=/>", "page-lost"),
    ("/described", "content='All our lights'>", "content=x>", "page-lost"),
    ("/listed", 'page("", "listed")', 'page("<meta name=robots content=noindex>", "listed")', "page-lost"),
    ("/form", "<input name=mail>", "<input name=email>", "page-lost"),
    ("/swapped", "<a href=/listed>More", "<a href=/hidden>More", "page-lost"),
    ("/hidden", "<p>Closed", "<p hidden>Closed", "page-lost"),
    ("/styled", "<div><p>Open", "<div style='display:none'><p>Open", "page-lost"),
    ("/charset", "charset=utf-8", "charset=latin-1", "page-lost"),
    ("/robots", 'page("", "robots")', '(page("", "robots"), {"X-Robots-Tag": "none"})', "page-lost"),
    ("/download", '("<p>lamp")', '("<p>lamp", headers={"Content-Disposition": "attachment"})', "page-lost"),
    ("/cookie", "httponly=True, ", "", "page-lost"),
    ("/french", "Bienvenue", "Welcome", "page-lost"),
    ("/feed.xml", "</link></item>\" for n in LIGHTS)", "</link></item>\" for n in LIGHTS[1:])", "page-lost"),
    ("/sitemap.xml", "</loc></url>\" for n in LIGHTS)", "</loc></url>\" for n in LIGHTS[1:])", "page-lost"),
    ("/base", 'page("", "<a href=listed>', 'page("<base href=/lights/>", "<a href=listed>', "page-lost"),
    ("/send", '@app.post("/send")', '@app.post("/sent")', "rule-gone"),
    ("/ping", '["HEAD", "OPTIONS"]', '["OPTIONS"]', "rule-gone"),
    ("/notes/<uuid:number>", '@app.get("/notes/<uuid:number>")', '@app.get("/jottings/<uuid:number>")', "rule-gone"),
    ("/static/a.txt", "", "", "static-changed"),
]  # fmt: skip
HERE = site(sources=(), locales=("en", "fr"))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    files: Files = {"app.py": APP, "static/a.txt": "lamp oil\n"}
    return yard(tmp_path_factory.mktemp("subtle"), files)


def test_each_quiet_loss_is_an_objection_against_its_page(place: Yard) -> None:
    changed = APP
    for _, before, after, _ in BREAKS:
        assert before in changed
        changed = changed.replace(before, after, 1) if before else changed
    found, _ = place.judged({"app.py": changed, "static/a.txt": "lamp out\n"}, CLAIM, HERE)
    told = {(one.subject, one.code) for one in found}
    assert {(url, code) for url, _, _, code in BREAKS} - told == set()
    assert {subject for subject, _ in told} - {url for url, *_ in BREAKS} <= {
        *(f"/lights/{name}" for name in ("west", "north", "south")),
        *("/lights/listed", "/jottings/<uuid:number>"),
    }


def test_nothing_is_lost_where_nothing_changed(place: Yard, tmp_path: Path) -> None:
    assert place.judged({"app.py": APP + "# a note\n"}, CLAIM, HERE)[0] == ()
    more = APP.replace('"south"]', '"south", "harbour"]')
    assert place.judged({"app.py": more}, CLAIM, HERE)[0] == ()


def test_a_new_page_that_redirects_to_itself_or_to_nothing_is_no_page(place: Yard) -> None:
    view = '\n@app.get("/{0}")\ndef {0}(): return redirect("/{1}")\n'
    more = APP + view.format("loop", "loop") + view.format("one", "two") + view.format("two", "one")
    more += view.format("lost", "nowhere") + view.format("fine", "all")
    claim = Claim("", "", "", routes=tuple(f"/{name} -> 302" for name in ("loop", "one", "two", "lost", "fine")))
    found, _ = place.judged({"app.py": more}, claim, HERE)
    assert {(one.subject, one.code) for one in found} == {
        ("/loop", "new-page-circles"),
        ("/one", "new-page-circles"),
        ("/two", "new-page-circles"),
        ("/nowhere", "dead-link"),
    }
