"""What a change brings, takes into pages or leaves undone, judged through the real sandbox."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.model import Claim, Objection
from bot.parts import RouteRules
from tests.support.sites import Yard, site, yard

CLAIM = Claim("feature", "tides", "Adds tides.")
STYLE, LOGO = "body { color: black }", "<svg xmlns='http://www.w3.org/2000/svg'/>"
APP = """
from flask import Flask, request
app = Flask(__name__)
LIGHTS = ["East Pier", "West Pier", "Old Mole", "North Head"]
NAV = "<nav><a href=/>Home</a> <a href=/search>Search</a> <a href=/about>About</a></nav>"
def page(title, body):
    return f'''<html><head><title>{title}</title><link rel=stylesheet href=/static/style.css></head>
<body>{NAV}<main>{body}</main><script>lamp()</script></body></html>'''
@app.get("/")
def home(): return page("Lights", "<h1>Lights</h1><p>On this coast.</p>")
@app.get("/about")
def about(): return page("About", "<h1>About us</h1><p>A society of volunteers.</p>")
@app.get("/contact")
def contact(): return page("Contact", "<h1>Write to us</h1><form action=/contact><input name=text></form>")
@app.get("/search")
def search():
    term = request.args.get("q", "")
    found = "".join(f"<li>{one} light, lit at dusk</li>" for one in LIGHTS if term and term in one)
    return page("Search", f"<form action=/search><input name=q></form><ul>{found}</ul>")
@app.get("/pier/<name>")
def pier(name): return page(name, f"<p>{name}</p>")
LINKS = ["/pier/east"]
@app.errorhandler(404)
def missing(error): return page("Gone", "<p>There is nothing here.</p>"), 404
"""
ROUTE = '\n@app.get("/tides")\ndef tides(): return page("Tides", "<h1>Tides</h1><p>High at noon.</p>")\n'
RULES = RouteRules(examples=("/search?q=Pier",))


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    files = {"app.py": APP, "static/style.css": STYLE, "static/logo.svg": LOGO}
    return yard(tmp_path_factory.mktemp("brought"), files)


def judged(
    place: Yard, app: str = APP, claim: Claim = CLAIM, rules: RouteRules = RULES, **files: str | None
) -> tuple[Objection, ...]:
    changed = {"app.py": app, **{f"static/{name.replace('_', '.')}": text for name, text in files.items()}}
    part = place.routes(site(sources=()), rules)
    return part.judge(place.ready(), place.snapshot(changed, claim))[0]


def told(found: tuple[Objection, ...]) -> list[tuple[str, str]]:
    return [(one.code, one.subject) for one in found]


def test_the_sweep_covers_literals_and_static_files(place: Yard) -> None:
    part = place.routes(site(sources=()), RULES)
    assert part.baseline(place.base).counts["never"] == 0
    counts = part.judge(place.ready(), place.snapshot({}))[1].counts
    assert counts["files"] == 2 and counts["verified"] == counts["total"] == 5


def test_a_new_page_that_is_linked_or_claimed_is_fine(place: Yard) -> None:
    linked = APP.replace("<a href=/about>", "<a href=/tides>Tides</a> <a href=/about>") + ROUTE
    assert judged(place, linked) == ()
    assert judged(place, APP + ROUTE, replace(CLAIM, routes=("/tides",))) == ()


def test_a_new_page_may_not_stand_alone_or_lack_a_title_or_fail_or_copy_the_error_page(place: Yard) -> None:
    more = """
@app.get("/bare")
def bare(): return "<p>bare</p>"
@app.get("/none")
def none(): return page("Gone", "<p>There is nothing here.</p>")
@app.get("/moved")
def moved(): return "", 301, {"Location": "/"}
@app.get("/tide/<day>")
def tide(day): return page(day, "<p>High at noon.</p>")
@app.get("/tide-of/<day>")
def of(day): return page("x", "<p>Of.</p>") if day == "mon" else 1 / 0
"""
    links = "<a href=/bare>b</a><a href=/none>n</a><a href=/moved>m</a><a href=/tide-of/tue>t</a> <a href=/about>"
    found = judged(place, APP.replace("<a href=/about>", links) + ROUTE + more)
    assert sorted(told(found)) == [
        ("new-page-fails", "/moved"),
        ("new-page-fails", "/tide-of/tue"),
        ("new-page-is-missing", "/none"),
        ("new-page-unlinked", "/tides"),
        ("new-page-untitled", "/bare"),
        ("new-rule-unseen", "/tide/<day>"),
    ]


def test_the_same_effect_under_another_name_is_caught_by_the_example_queries(place: Yard) -> None:
    twin = APP[APP.index("def search():") : APP.index('@app.get("/pier')].replace("def search", "def find")
    renamed = twin.replace('page("Search", f"<form', 'page("Find", f"<h1>Find</h1><p>A word, please.</p><form')
    found = judged(place, APP + f'\n@app.get("/find")\n{renamed}', replace(CLAIM, routes=("/find",)))
    assert told(found) == [("same-effect", "/find?q=Pier")] and "/search?q=Pier" in found[0].what
    about = ROUTE.replace("<h1>Tides</h1><p>High at noon.</p>", "<h1>About us</h1><p>A society of volunteers.</p>")
    assert told(judged(place, APP + about, replace(CLAIM, routes=("/tides",)))) == [("same-effect", "/tides")]


def test_a_feature_without_a_new_route_must_show(place: Yard) -> None:
    assert told(judged(place, APP + "\n# a remark\n")) == [("no-effect", "tides")]
    assert judged(place, APP.replace("<p>On this coast.</p>", "<p>On this coast.</p><p>High at noon.</p>")) == ()
    sorting = APP.replace("for one in LIGHTS if", 'for one in (sorted(LIGHTS) if "s" in request.args else LIGHTS) if')
    asked = replace(CLAIM, routes=("/search?q=Pier&s=1",))
    assert told(judged(place, sorting, asked)) == [("no-effect", "tides")]  # the order of a list is no content
    said = sorting.replace("<ul>{found}", "<p>{request.args.get('s', '')}</p><ul>{found}")
    assert judged(place, said, asked) == ()


def test_pages_gain_no_code_no_hosts_no_innards_and_no_dead_links(place: Yard) -> None:
    gains = (
        "<script>steal()</script><p onclick=go()>x</p><a href='javascript:go()'>x</a><img src=//evil.example/p.png>"
        "{{{{ name }}}}<a href=/nowhere>n</a><img src=/static/none.png>"
    )
    found = judged(place, APP.replace("<h1>About us</h1>", f"<h1>About us</h1>{gains.replace('{{{{', '{ { ')}"))
    plain = APP.replace("<h1>About us</h1>", "<h1>About us</h1>" + gains.replace("{{{{", "{{").replace("}}}}", "}}"))
    assert sorted(told(judged(place, plain))) == [
        *(("dead-link", "/nowhere"), ("dead-link", "/static/none.png"), ("foreign-host", "evil.example")),
        *(("inline-script", "javascript:go()"), ("inline-script", "onclick=go()"), ("inline-script", "steal()")),
        ("template-source", "{{ name }}"),
    ]
    assert "template-source" not in [one.code for one in found]
    policy = replace(RULES, inline_scripts=True, foreign_hosts=("evil.example",))
    assert {one.code for one in judged(place, plain, rules=policy)} == {"dead-link", "template-source"}


def test_a_traceback_on_a_page_is_an_objection(place: Yard) -> None:
    shown = APP.replace(
        "<p>On this coast.</p>", "<p>On this coast.</p><pre>Traceback (most recent call last):\\nX</pre>"
    )
    assert told(judged(place, shown))[0][0] == "traceback"


def test_what_a_new_page_loads_is_judged_like_any_other(place: Yard) -> None:
    evil = ROUTE.replace("<h1>Tides</h1>", "<h1>Tides</h1><script src=https://evil.example/x.js></script>")
    assert told(judged(place, APP + evil, replace(CLAIM, routes=("/tides",)))) == [("foreign-host", "evil.example")]


def test_a_static_file_keeps_its_content_unless_the_claim_names_it(place: Yard) -> None:
    assert told(judged(place, style_css="body { color: red }")) == [("static-changed", "/static/style.css")]
    assert judged(place, claim=replace(CLAIM, changes=("/static/style.css",)), style_css="body { color: red }") == ()
    assert ("status-changed", "/static/logo.svg") in told(judged(place, logo_svg=None))
    assert told(judged(place, tide_css="p {}")) == [("no-effect", "tides")]


def test_evidence_is_the_same_whatever_the_dice_say(tmp_path: Path) -> None:
    restless = APP.replace("<p>On this coast.</p>", "{secrets.token_hex()}{time.time()}").replace(
        'page("Lights", "', 'page("Lights", f"'
    )
    here = yard(tmp_path, {"app.py": "import secrets, time\n" + restless, "static/style.css": STYLE})
    lines, subjects = set(), set()
    for seed in (1, 2):
        part = here.routes(site(sources=()), RULES, seed)
        here.tools.cache.put(part._key(here.base), b"")
        found, evidence = part.judge(
            here.ready(), here.snapshot({"app.py": "import secrets, time\n" + restless + ROUTE})
        )
        lines.add(evidence.line)
        subjects.add(tuple(told(found)))
    assert len(lines) == 1 and subjects == {(("new-page-unlinked", "/tides"),)}
