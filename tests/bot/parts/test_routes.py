"""The routes part over a real store, the real sandbox and served sites."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.errors import SiteBroken
from bot.model import Claim
from bot.parts import RouteRules, patience
from tests.support.sites import HOME, Files, Yard, site, yard

ARTICLE = '{"slug": "harbour", "title": "Harbour lights"}'
MORE = HOME.replace("for number in range(8)]", f"for number in range(8)] + [{ARTICLE}]")
CLAIM = Claim("article", "harbour", "Adds an article.")
TIDES = '\n@app.get("/tides")\ndef tides(): return "<title>Tides</title><h1>Tides</h1>"\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("home"), {"app.py": HOME})


def codes(found: tuple[object, ...]) -> list[str]:
    return sorted(one.code for one in found)  # type: ignore[attr-defined]


def test_a_sweep_of_base_counts_what_became_of_each_rule(home: Yard) -> None:
    baseline = home.routes().baseline(home.base)
    assert baseline.counts == {"verified": 3, "login": 0, "failing": 1, "never": 0, "skipped": 0, "total": 4}
    assert baseline.tool.startswith("flask ")


def test_base_is_swept_once_and_then_found(home: Yard) -> None:
    assert home.routes().baseline(home.base) == home.routes().baseline(home.base)
    assert home.judged({})[1].cached


def test_a_new_article_moves_the_latest_list_and_raises_the_number(home: Yard) -> None:
    found, evidence = home.judged({"app.py": MORE}, CLAIM)
    assert found == ()
    assert evidence.counts["verified"] == 3 and evidence.counts["failing"] == 1


def test_a_new_route_is_fine(home: Yard) -> None:
    assert home.judged({"app.py": HOME + TIDES}, replace(CLAIM, routes=("/tides",)))[0] == ()


WORKING = """
from flask import Flask, abort, redirect
app = Flask(__name__)
@app.get("/")
def home(): return "home"
@app.get("/fails")
def fails(): return "<p>fine</p>"
@app.get("/mended")
def mended(): return {}["tides"]
@app.get("/other")
def other(): return {}["tides"]
@app.get("/nav")
def nav(): return "<nav><ul><li><a href=/nav>Nav</a></li><li><a href='/number'>All</a></li></ul></nav>"
@app.get("/heading")
def heading(): return "<h1>Lights</h1><p>of the coast</p>"
@app.get("/landmark")
def landmark(): return "<main><p>of the coast</p></main>"
@app.get("/number")
def number(): return "<p>7 lights</p>"
@app.get("/form")
def form(): return "<form action=/nav><input name=q><input name=page></form>"
@app.get("/view")
def view(): return "view"
@app.get("/away")
def away(): return redirect("/nav")
@app.get("/kind")
def kind(): return "{}"
@app.get("/data")
def data(): return {"lights": [{"name": "East"}, {"name": "West"}]}
@app.get("/feed")
def feed(): return "<rss><channel><title>Coast</title></channel></rss>", 200, {"Content-Type": "application/rss+xml"}
@app.get("/plain")
def plain(): return "Allow: /\\nDisallow: /x", 200, {"Content-Type": "text/plain"}
"""
BREAKS = [
    ("/", '@app.get("/")', '@app.route("/", methods=["GET", "POST"])', "status-changed"),
    ("/fails", '"<p>fine</p>"', "1 / 0", "status-changed"),
    ("/mended", 'mended(): return {}["tides"]', 'mended(): return "mended"', "status-changed"),
    ("/other", 'other(): return {}["tides"]', "other(): return undefined_name", "exception-changed"),
    ("/nav", "<li><a href='/number'>All</a></li>", "", "page-lost"),
    ("/heading", "<h1>Lights</h1>", "", "page-lost"),
    ("/landmark", "<main>", "<div>", "page-lost"),
    ("/number", "7 lights", "9 lights", "page-lost"),
    ("/form", "<input name=page>", "", "page-lost"),
    ("/view", "def view()", "def another()", "endpoint-changed"),
    ("/away", 'redirect("/nav")', 'redirect("/")', "redirect-changed"),
    ("/kind", '"{}"', "{}", "type-changed"),
    ("/data", ', {"name": "West"}', "", "page-lost"),
    ("/feed", "<title>Coast</title>", "", "page-lost"),
    ("/plain", "Allow: /", "", "page-lost"),
]


def test_what_worked_at_base_must_work_on(tmp_path: Path) -> None:
    changed = WORKING
    for _, before, after, _ in BREAKS:
        assert before in changed
        changed = changed.replace(before, after, 1)
    place = yard(tmp_path, {"app.py": WORKING})
    found, _ = place.judged({"app.py": changed}, where=site(sources=()))
    assert {one.subject: one.code for one in found} == {url: code for url, _, _, code in BREAKS}


def test_an_exception_names_its_line_so_that_it_can_be_mended(home: Yard) -> None:
    broken = HOME.replace("shown=ARTICLES)", "shown=ARTICLES) + missing")
    found, _ = home.judged({"app.py": broken})
    (objection,) = [one for one in found if one.subject == "/all"]
    assert objection.file == "app.py" and "NameError" in objection.seen
    line = int(objection.where.rpartition(":")[2])
    assert "+ missing" in broken.lstrip("\n").splitlines()[line - 1]


def test_a_handler_that_lies_about_errors_is_seen_through(home: Yard) -> None:
    quiet = HOME.replace("def home(): return", "def home():\n    {}['x']\n    return")
    lying = (
        quiet + "\n@app.errorhandler(KeyError)\ndef fine(error): return render_template_string(LIST, shown=[]), 200\n"
    )
    found, _ = home.judged({"app.py": lying})
    assert {one.subject: one.code for one in found} == {"/": "exception-changed", "/almanac": "status-changed"}


def test_an_app_that_answers_everything_is_caught(home: Yard) -> None:
    found, _ = home.judged({"app.py": HOME + '\n@app.get("/<path:rest>")\ndef rest(rest): return "ok"\n'})
    assert any("<unknown>" in one.subject and one.code == "status-changed" for one in found)


def test_a_new_route_answers_as_it_is_claimed(home: Yard) -> None:
    claim = replace(CLAIM, routes=("/gone", "/tides -> 301", "POST /tides -> 405", "tides", "/almanac -> 500"))
    broken = TIDES.replace("tides", "swell").replace("return", "return 1 / 0 or")
    found, _ = home.judged({"app.py": HOME + TIDES + broken}, claim)
    assert sorted((one.code, one.subject) for one in found) == [
        ("claim-route", "tides"),
        ("new-page-fails", "/gone"),
        ("new-page-fails", "/swell"),
        ("new-page-fails", "/tides"),
    ]


def test_a_new_entry_has_a_page_that_answers(home: Yard) -> None:
    broken = MORE.replace('if one["slug"] == slug:', 'if one["slug"] == slug != "harbour":')
    found, _ = home.judged({"app.py": broken}, CLAIM)
    assert [(one.code, one.subject) for one in found] == [("new-page-fails", "/articles/harbour")]


def test_a_site_that_dies_midway_is_an_objection_against_the_candidate(home: Yard) -> None:
    dying = "import os\n" + HOME.replace('return {}["tides"]', "os._exit(0)")
    found, _ = home.judged({"app.py": dying})
    assert [(one.code, one.subject) for one in found] == [("site-broken", "/almanac")]


def test_a_site_that_does_not_boot_says_why(home: Yard, tmp_path: Path) -> None:
    found, _ = home.judged({"app.py": "import not_there\n"})
    assert codes(found) == ["site-broken"] and "not_there" in found[0].seen
    broken = yard(tmp_path, {"app.py": "raise RuntimeError('no lamp oil')\n"})
    with pytest.raises(SiteBroken, match="no lamp oil"):
        broken.routes().baseline(broken.base)


def test_a_site_that_prints_and_reads_cannot_disturb_the_pipe(home: Yard) -> None:
    noisy = "import sys\nprint('x' * 5000)\nsys.stdin.read()\n" + HOME.replace(
        "def every(): ", "def every():\n    print('hi'); "
    )
    assert codes(home.judged({"app.py": noisy})[0]) == ["no-effect"]


def test_two_sweeps_of_the_same_tree_never_object(tmp_path: Path) -> None:
    restless = """
    import random, secrets, time, itertools
    from flask import Flask, redirect
    app = Flask(__name__)
    app.secret_key = secrets.token_hex()
    visits = itertools.count(random.randrange(9999))
    @app.get("/")
    def home():
        items = [f"<li><a href='/about?{n}'>{n}</a></li>" for n in "abcde"]
        random.shuffle(items)
        return f'''<title>{time.time()}</title><p>{time.ctime()}</p><p>It is {time.time_ns()}</p>
        <ul>{"".join(items)}</ul><form method=post><input type=hidden name=csrf value={secrets.token_hex()}>
        <button name=go>{next(visits)}</button></form>
        <p>{random.choice("ab")} or {random.choice("cd")}</p><img src="/pic?{secrets.token_hex(2)}">'''
    @app.get("/more")
    def more():
        nonce, number = secrets.token_hex(8), random.randrange(9)
        rows = [f"<tr id=r{secrets.token_hex(3)}><td><a href='/about?row={n}'>{n}</a></td></tr>" for n in "xyz"]
        random.shuffle(rows)
        body = f'''<html lang=en data-v={nonce}><title>Lights on {time.strftime("%H:%M:%S")}</title>
        <meta name=csrf-token content={nonce}><meta property=og:updated content="{time.time_ns()}">
        <link rel=stylesheet href="/static/a.css?v={nonce}"><link rel=canonical href="/more?session={nonce}">
        <script nonce={nonce}>var token = "{nonce}"</script><script nonce={nonce} src="/static/a.js?{number}"></script>
        <script type=application/ld+json>{{"id": "{nonce}", "n": {number}}}</script>
        <table>{"".join(rows)}</table><p id=p{nonce} aria-label="{nonce}">Row {number}</p>
        <p {random.choice(["hidden", ""])}>Sometimes</p><div style="display:{random.choice(["none", ""])}">Often</div>
        <input type=hidden name=t value={nonce}><select name=s><option value={nonce}>{number}</select>'''
        headers = {"Content-Security-Policy": f"script-src 'nonce-{nonce}'", "ETag": nonce, "X-Request-Id": nonce}
        headers["Set-Cookie"] = f"s{number}={nonce}; Path=/"
        return body, 200, headers | ({"X-Robots-Tag": "noindex"} if number % 2 else {})
    @app.get("/coin")
    def coin(): return ("heads", 200) if random.random() < 0.5 else ("tails", 404)
    @app.get("/away")
    def away(): return redirect(f"/about?{secrets.token_hex()}")
    @app.get("/about")
    def about(): return {"now": time.time(), "name": "lights"}
    """
    place = site(sources=())
    files: Files = {"app.py": restless, "static/a.css": "p {}\n", "static/a.js": "go()\n"}
    restless_yard = yard(tmp_path, files)
    for _ in range(4):
        assert restless_yard.judged({}, where=place)[0] == ()


def test_harmful_looking_rules_are_named_and_left_alone(tmp_path: Path) -> None:
    text = """
    from flask import Flask, redirect
    app = Flask(__name__); ITEMS = {"1": "a", "2": "b"}
    @app.get("/")
    def home(): return "".join(f"<a href=/item/{k}>x</a><a href=/item/{k}/delete>del</a>" for k in ITEMS)
    @app.get("/item/<k>")
    def item(k): return ITEMS[k] if k in ITEMS else ("gone", 404)
    @app.get("/item/<k>/delete")
    def delete(k): ITEMS.pop(k, None); return redirect("/")
    """
    place = yard(tmp_path, {"app.py": text})
    counts = place.routes(site(sources=())).baseline(place.base).counts
    assert counts == {"verified": 2, "login": 0, "failing": 0, "never": 0, "skipped": 1, "total": 3}
    assert place.judged({}, where=site(sources=()))[0] == ()


def test_hosts_and_subdomains_are_asked_at_their_own_host(tmp_path: Path) -> None:
    text = """
    from flask import Flask
    app = Flask("sub", subdomain_matching=True); app.config["SERVER_NAME"] = "site.example"
    @app.route("/")
    def home(): return "home"
    @app.route("/guide", subdomain="docs")
    def guide(): return "guide"
    """
    matching = """
    from flask import Flask
    app = Flask("host", host_matching=True, static_host="a.example")
    @app.route("/", host="a.example")
    def a(): return "a"
    """
    place = yard(tmp_path, {"app.py": text, "other.py": matching})
    assert place.routes(site(sources=())).baseline(place.base).counts["verified"] == 2
    assert place.routes(site(sources=(), app="other")).baseline(place.base).counts["verified"] == 1


def test_a_view_named_static_is_swept(tmp_path: Path) -> None:
    text = """
    from flask import Flask, Blueprint, g, render_template_string, redirect, url_for
    from jinja2 import TemplateNotFound
    app = Flask(__name__); bp = Blueprint("frontend", __name__, url_prefix="/<lang_code>")
    @bp.url_defaults
    def add(endpoint, values): values.setdefault("lang_code", g.get("lang_code", "en"))
    @bp.url_value_preprocessor
    def pull(endpoint, values): g.lang_code = values.pop("lang_code", "en")
    @bp.route("/", defaults={"page": "index"})
    @bp.route("/<page>")
    def static(page):
        if page not in ("index", "about"): raise TemplateNotFound(page)
        return f"{g.lang_code}/{page} <a href='{url_for('frontend.static', page='about')}'>about</a>"
    app.register_blueprint(bp)
    @app.route("/")
    def root(): return redirect(url_for("frontend.static", page="index"))
    """
    place = yard(tmp_path, {"app.py": text})
    where = site(sources=(), locales=("en", "fr"), locale_by="prefix")
    assert place.routes(where).baseline(place.base).counts["verified"] == 3


def test_a_login_redirect_is_not_verified(tmp_path: Path) -> None:
    text = """
    from flask import Flask, redirect
    app = Flask(__name__)
    @app.route("/login")
    def login(): return "login form"
    @app.route("/profile")
    def profile(): return redirect("/login?next=/profile")
    """
    place = yard(tmp_path, {"app.py": text})
    counts = place.routes(site(sources=())).baseline(place.base).counts
    assert (counts["verified"], counts["login"]) == (1, 1)
    opened = text.replace('redirect("/login?next=/profile")', '"come in"')
    assert codes(place.judged({"app.py": opened}, where=site(sources=()))[0]) == ["status-changed"]


INSISTING = """
from flask import Flask, redirect, request
app = Flask(__name__)
def secured():
    if not request.is_secure: return redirect(request.url.replace("http:", "https:", 1), 301)
app.before_request(secured)
@app.route("/")
def home(): return "home"
"""


def test_a_site_that_insists_on_https_is_asked_so_and_has_to_go_on_insisting(tmp_path: Path) -> None:
    place, where = yard(tmp_path, {"app.py": INSISTING}), site(sources=())
    assert place.routes(where).baseline(place.base).counts["verified"] == 1
    for old, new, expected in (
        ('"home"', '"home" ""', set()),
        ('return "home"', "return 1 / 0", {"status-changed"}),
        ("app.before_request(secured)", "", {"unsecured"}),
        ("not request.is_secure", "not request.is_secure and request.path != '/'", {"unsecured"}),
    ):
        change = place.snapshot({"app.py": INSISTING.replace(old, new)}, Claim("", "", ""))
        assert set(codes(place.routes(where).judge(place.ready(), change)[0])) == expected, new


def test_a_site_that_begins_to_insist_on_https_is_no_longer_what_it_was(tmp_path: Path) -> None:
    open_ = INSISTING.replace("app.before_request(secured)\n", "")
    place = yard(tmp_path, {"app.py": open_})
    assert set(codes(place.judged({"app.py": INSISTING}, where=site(sources=()))[0])) == {"status-changed"}


def test_a_site_that_prefers_https_is_asked_so(tmp_path: Path) -> None:
    preferring = INSISTING.replace("Flask(__name__)", "Flask(__name__); app.config['PREFERRED_URL_SCHEME'] = 'https'")
    place, where = yard(tmp_path, {"app.py": preferring}), site(sources=())
    assert place.routes(where).baseline(place.base).counts["verified"] == 1


LIMITED = """
from collections import Counter
from flask import Flask, abort, request
app = Flask(__name__)
seen, LIMIT = Counter(), 5
ARTICLES = [{"slug": f"light-{number}"} for number in range(20)]
@app.before_request
def counted():
    seen[request.remote_addr, request.endpoint] += 1
    if seen[request.remote_addr, request.endpoint] > LIMIT: abort(429)
@app.get("/")
def home(): return "".join(f"<a href=/articles/{one['slug']}>{one['slug']}</a>" for one in ARTICLES)
@app.get("/articles/<slug>")
def article(slug):
    return f"<title>{slug}</title><h1>{slug}</h1>" if {"slug": slug} in ARTICLES else abort(404)
"""


def test_a_site_that_limits_visitors_is_seen_whole_and_may_grow(tmp_path: Path) -> None:
    place = yard(tmp_path, {"app.py": LIMITED})
    part, more = place.routes(), LIMITED.replace("range(20)]", 'range(20)] + [{"slug": "harbour"}]')
    assert part._base(place.base)[0].volatile == () and len(part._base(place.base)[0].pages) > 20
    assert part.judge(place.ready(), place.snapshot({"app.py": more}))[0] == ()


@pytest.mark.parametrize("now", ["1", "0"])
def test_a_limit_that_becomes_narrower_is_an_objection(now: str, tmp_path: Path) -> None:
    place = yard(tmp_path, {"app.py": LIMITED})
    narrow = LIMITED.replace("LIMIT = Counter(), 5", f"LIMIT = Counter(), {now}")
    assert "limits-tightened" in codes(place.judged({"app.py": narrow}, Claim("", "", ""))[0])


def test_a_site_that_begins_to_limit_visitors_is_no_longer_what_it_was(tmp_path: Path) -> None:
    place = yard(tmp_path, {"app.py": LIMITED.replace("LIMIT = Counter(), 5", "LIMIT = Counter(), 5000")})
    assert codes(place.judged({"app.py": LIMITED}, Claim("", "", ""))[0]) == ["limits-tightened"]


def test_an_old_page_that_turns_its_first_visitor_away_is_an_objection(tmp_path: Path) -> None:
    place = yard(tmp_path, {"app.py": HOME})
    turned = HOME.replace("def every(): ", "def every():\n    if LEFT: abort(LEFT.pop())\n    ") + "LEFT = [429]\n"
    (found,) = place.judged({"app.py": turned}, Claim("", "", ""))[0]
    assert found.code == "limits-tightened" and found.seen.startswith("1 times for too many requests, first after ")


HOSTS = """
from flask import Flask, redirect, request
app = Flask(__name__)
@app.before_request
def here():
    if request.host != "www.lights.example": return redirect("https://www.lights.example" + request.path, 301)
@app.route("/")
def home(): return "home"
"""


def test_a_site_that_answers_at_one_host_alone_is_asked_there_or_says_where(tmp_path: Path) -> None:
    place, where = yard(tmp_path, {"app.py": HOSTS}), site(sources=())
    with pytest.raises(SiteBroken, match=r"blind.*/ to https://www\.lights\.example/.*SERVER_NAME or TRUSTED_HOSTS"):
        place.routes(where).baseline(place.base)
    for setting in ("SERVER_NAME='www.lights.example'", "TRUSTED_HOSTS=['.www.lights.example', 'b.example']"):
        told = place.tree({"app.py": HOSTS.replace("@app.before", f"app.config.update({setting})\n@app.before", 1)})
        assert place.routes(where).baseline(told).counts["verified"] == 1


def test_a_page_of_a_host_of_its_own_is_asked_there(tmp_path: Path) -> None:
    text = """
    from flask import Flask, abort
    app = Flask("hosts", host_matching=True, static_host="a.example"); ARTICLES = [{"slug": "x"}]
    @app.route("/", host="a.example")
    def home(): return "".join(f"<a href=/articles/{a['slug']}>{a['slug']}</a>" for a in ARTICLES)
    @app.route("/articles/<slug>", host="a.example")
    def article(slug): return f"<title>{slug}</title>{slug}" if slug in KEYS else abort(404)
    KEYS = [a["slug"] for a in ARTICLES]
    """
    place = yard(tmp_path, {"app.py": text})
    more = text.replace('[{"slug": "x"}]', '[{"slug": "x"}, {"slug": "y"}]')
    assert codes(place.judged({"app.py": more})[0]) == []
    found = place.judged({"app.py": more.replace("ARTICLES]\n", "ARTICLES][:1]\n")})[0]
    assert "new-page-fails" in codes(found)


def test_a_base_where_all_fails_offline_is_blind(tmp_path: Path) -> None:
    text = """
    from flask import Flask
    import urllib.request
    app = Flask(__name__)
    @app.route('/')
    def home(): return urllib.request.urlopen('http://feed.invalid/x.ics', timeout=2).read()
    """
    place = yard(tmp_path, {"app.py": text})
    with pytest.raises(SiteBroken, match=r"blind.*URLError"):
        place.routes(site(sources=())).baseline(place.base)
    worse = text.replace("return urllib", "return undefined_name + urllib")
    found = place.judged({"app.py": worse}, where=site(sources=()))[0]
    assert codes(found) == ["exception-changed"] and "NameError" in found[0].seen


def test_a_registry_whose_pages_are_nowhere_is_told_and_one_with_some_pages_is_not(tmp_path: Path) -> None:
    text = """
    from flask import Flask, abort
    app = Flask(__name__)
    ARTICLES = [{"slug": "x"}, {"slug": "draft"}]
    @app.get("/")
    def home(): return "<a href=/articles/x>x</a>"
    @app.get("/articles/<slug>")
    def article(slug): return slug if slug == "x" else abort(404)
    """
    place = yard(tmp_path, {"app.py": text})
    place.routes(site()).baseline(place.base)
    wrong = (replace(site().sources[0], page="/wrong/{slug}"),)
    with pytest.raises(SiteBroken, match=r"not one of 2 pages of registry articles is there.*mend page = "):
        place.routes(site(sources=wrong)).baseline(place.base)


def test_too_few_rules_requested_is_blind_and_tells_the_line_to_add(tmp_path: Path) -> None:
    rules = "".join(f"@app.get('/{n}/<x>')\ndef v{n}(x): return str(x)\n" for n in range(9))
    place = yard(
        tmp_path,
        {"app.py": f"from flask import Flask\napp = Flask(__name__)\n@app.get('/')\ndef h(): return 'h'\n{rules}"},
    )
    with pytest.raises(SiteBroken, match=r'requested: /0/<x>, .*examples = \["/0/SOME-x", "/1/SOME-x"'):
        place.routes(site(sources=())).baseline(place.base)
    examples = tuple(f"/{n}/7" for n in range(9))
    counts = place.routes(site(sources=()), RouteRules(examples=examples)).baseline(place.base).counts
    assert counts["verified"] == 10


def test_rules_with_blanks_are_asked_with_values_that_the_site_itself_gives(tmp_path: Path) -> None:
    text = """
    from flask import Flask, abort
    from werkzeug.routing import BaseConverter
    app = Flask(__name__)
    class Colour(BaseConverter): regex = "(?:red|white)"
    class Even(BaseConverter):
        def to_python(self, value): return int(value) // 2
    app.url_map.converters.update(colour=Colour, even=Even)
    @app.get("/")
    def home(): return "<a href=/lights/east>east</a><a href='/buoys/7'>7</a>"
    @app.get("/lights/<name>")
    def light(name): return name
    @app.get("/lights/<name>/log")
    def log(name): return f"<a href=/logs/{name}-1>first</a>"
    @app.get("/logs/<page>")
    def page(page): return page
    @app.get("/sectors/<colour:colour>")
    def sector(colour): return colour
    @app.get("/days/<int:day>")
    def day(day): return str(day)
    @app.get("/gone/<int:year>")
    def gone(year): abort(404)
    @app.get("/even/<even:number>")
    def even(number): return str(number)
    @app.get("/buoys/<number>")
    def buoy(number): return number
    @app.get("/keys/<uuid:key>")
    def key(key): return str(key)
    """
    place, where = yard(tmp_path, {"app.py": text}), site(sources=())
    counts = place.routes(where).baseline(place.base).counts
    assert (counts["verified"], counts["never"], counts["total"]) == (7, 3, 10)
    broken = text.replace("return colour", 'return 1 / 0 if colour == "white" else colour')
    found = place.judged({"app.py": broken}, where=where)[0]
    assert [(one.code, one.subject) for one in found] == [("status-changed", "/sectors/white")]


def test_a_page_that_never_answers_is_told_apart(tmp_path: Path) -> None:
    text = "import time\nfrom flask import Flask\napp = Flask(__name__)\n@app.get('/')\ndef h(): return 'h'\n"
    place = yard(tmp_path, {"app.py": text + "@app.get('/slow')\ndef s(): return 's'\n"})
    slow = text + "@app.get('/slow')\ndef s():\n    try: time.sleep(60)\n    except Exception: pass\n"
    part = place.routes(site(sources=()), RouteRules(page_seconds=0.5))
    found, _ = part.judge(place.ready(), place.snapshot({"app.py": slow}))
    assert [(one.code, one.subject) for one in found] == [("status-changed", "/slow")]
    hurried = place.routes(site(sources=()), RouteRules(page_seconds=0.5, seconds=0.2))
    found, _ = hurried.judge(place.ready(), place.snapshot({"app.py": slow}))
    assert codes(found) == ["site-broken"] and "slowest: /slow" in found[0].seen


def test_a_page_that_needs_another_one_to_have_been_visited_is_judged_too(tmp_path: Path) -> None:
    text = """
    from flask import Flask, abort
    app = Flask(__name__); MADE = []
    @app.get("/demo")
    def demo():
        MADE.append("demo")
        return "<a href=/demo/notes>notes</a>"
    @app.get("/<name>/notes")
    def notes(name): return "notes" if name in MADE else abort(404)
    @app.get("/<name>/more")
    def more(name): return "more" if name in MADE else abort(404)
    """
    place, where = yard(tmp_path, {"app.py": text}), site(sources=())
    assert place.judged({}, where=where)[0] == ()
    found = place.judged({"app.py": text.replace('return "notes" if', "return 1 / 0 if")}, where=where)[0]
    assert [(one.code, one.subject) for one in found] == [("status-changed", "/demo/notes")]
    for number in range(4):  # whatever came first in the candidate's own sweep
        more = f'{text}\n    @app.get("/tides")\n    def tides(): return "<a href=/tides>{number}</a>"\n'
        found = place.judged({"app.py": more}, where=where)[0]
        assert "status-changed" not in codes(found)


def test_who_waits_for_a_long_sweep_hears_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "_TELLING", 0.0)
    place, heard = yard(tmp_path, {"app.py": HOME}), list[str]()
    told = replace(place, tools=replace(place.tools, tell=heard.append))
    told.routes().baseline(place.base)
    assert heard and all(text.startswith("routes: ") and "pages asked, now at /" in text for text in heard)
