"""Old views whose code changes where no check asks, and those that may change."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.model import Claim
from guards.old_views import old_views
from tests.support.changes import told, written
from tests.support.holdings import BASE, rule

OLD = """
LIMIT = 9
LAMPS = ["a"]

@app.get("/about")
def about():
    return page("about.html")

@app.post("/letters")
def send():
    if token() != 1:
        abort(400)
    return keep(form(), LIMIT, LAMPS)

@app.route("/login", methods=["GET", "POST"])
def login():
    if sent():
        return enter(form())
    return page("login.html")

def keep(letter, *more):
    return letter

def unrelated():
    return 1
"""
RULES = (
    replace(rule("/about", "pages.about"), module="a.py"),
    replace(rule("/letters", "send", ("OPTIONS", "POST")), module="a.py"),
    replace(rule("/login", "login", ("GET", "HEAD", "OPTIONS", "POST")), module="a.py"),
)
CLAIM = Claim("feature", "tides", "Tides.")
FINE = {
    "one more view": (
        '@app.get("/about")',
        '@app.get("/tides")\ndef tides():\n    return abort(404)\n\n@app.get("/about")',
    ),
    "another value for a page": ('page("about.html")', 'page("about.html", tides=TIDES)'),
    "another function": ("return 1", "return 2 if x else 3"),
    "a list that grows": ('["a"]', '["a", "b"]'),
    "a value more where GET is answered": (
        '    if sent():\n        return enter(form())\n    return page("login.html")',
        '    tides = high()\n    if sent():\n        return enter(form())\n    return page("login.html", tides=tides)',
    ),
    "a comment": ("    if token() != 1:", "    # who asks\n    if token() != 1:"),
}
WRONG = {
    "a check taken out": ("    if token() != 1:\n        abort(400)\n", "", "unasked-changed: send"),
    "a check turned round": ("token() != 1", "token() == 1", "unasked-changed: send"),
    "one more thing done": ("    return keep(", "    mail()\n    return keep(", "unasked-changed: send"),
    "what it calls": ("    return letter", "    return None", "unasked-changed: keep"),
    "what it calls, gone": ("def keep(", "def kept(", "unasked-changed: keep"),
    "a limit": ("LIMIT = 9", "LIMIT = 10**9", "unasked-changed: LIMIT"),
    "another decorator": ('@app.post("/letters")', '@late\n@app.post("/letters")', "unasked-changed: send"),
    "a form that lets everybody in": ("enter(form())", "enter(anybody())", "unasked-changed: login"),
    "a name taken over": ("    if sent():", "    form = anybody\n    if sent():", "unasked-changed: login"),
    "robots sent away": (
        "def about():\n",
        'def about():\n    if "bot" in agent():\n        return redirect("/")\n',
        "old-page-forks: /about",
    ),
    "an error for some": (
        "def about():\n",
        "def about():\n    if late():\n        abort(500)\n",
        "old-page-forks: /about",
    ),
    "a choice in an answer": (
        'return page("about.html")',
        'return page("about.html") if now() else ""',
        "old-page-forks: /about",
    ),
}


def objections(old: str, new: str, claim: Claim = CLAIM) -> list[str]:
    assert old in OLD
    given = written("a.py", OLD.replace(old, new, 1), OLD, claim)
    return told(old_views, replace(given, base=replace(BASE, rules=RULES)))


@pytest.mark.parametrize("name", FINE)
def test_what_old_views_do_not_feel_passes(name: str) -> None:
    assert objections(*FINE[name]) == []


@pytest.mark.parametrize("name", WRONG)
def test_an_old_view_that_answers_otherwise_where_nobody_asks_is_refused(name: str) -> None:
    old, new, subject = WRONG[name]
    assert subject in objections(old, new)


def test_a_page_that_the_claim_names_may_answer_in_another_way() -> None:
    old, new, _ = WRONG["a choice in an answer"]
    assert objections(old, new, replace(CLAIM, changes=("/about?as=text",))) == []
    assert objections(old, new, replace(CLAIM, changes=("/abouts",))) != []
