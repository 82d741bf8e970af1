"""The second pass, as a user, and a site that does not let the user in."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.errors import SiteBroken
from bot.model import Claim
from bot.parts import RouteRules
from gates.login import Login
from tests.support.sites import Yard, site, yard

APP = """
import secrets
from flask import Flask, redirect, request, session
app = Flask(__name__); app.secret_key = "x"
@app.route("/login", methods=["GET", "POST"])
def login():
    if request.method == "POST" and request.form.get("csrf") == session.get("csrf"):
        if request.form.get("password") == "lantern":
            session["user"] = request.form["user"]
            return redirect("/profile")
    session["csrf"] = secrets.token_hex()
    hidden = f"<input type=hidden name=csrf value={session['csrf']}>"
    return f"<form method=post>{hidden}<input name=user><input name=password></form>"
@app.route("/")
def home(): return "<p>hello</p>"
@app.route("/profile")
def profile(): return "<p>profile</p><a href=/notes/1>note</a>" if session.get("user") else redirect("/login")
@app.route("/notes/<n>")
def note(n): return f"<p>note {n}</p>" if session.get("user") else redirect("/login")
"""
RULES = RouteRules(login=Login("/login", (("user", "keeper"), ("password", "lantern"))))
HERE = site(sources=())


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("signed"), {"app.py": APP})


def test_a_user_sees_what_a_visitor_cannot(place: Yard) -> None:
    anonymous = place.routes(HERE).baseline(place.base).counts
    assert (anonymous["verified"], anonymous["login"], anonymous["never"]) == (2, 1, 1)
    signed_in = place.routes(HERE, RULES).baseline(place.base).counts
    assert (signed_in["verified"], signed_in["login"], signed_in["never"]) == (4, 0, 0)


def test_what_fails_for_a_user_alone_is_caught_in_the_second_pass(place: Yard) -> None:
    broken = {"app.py": APP.replace('f"<p>note {n}</p>"', "1 / 0")}
    claim = Claim("feature", "", "")
    assert place.routes(HERE).judge(place.ready(), place.snapshot(broken, claim))[0] == ()
    (found,) = place.routes(HERE, RULES).judge(place.ready(), place.snapshot(broken, claim))[0]
    assert (found.code, found.subject) == ("status-changed", "/notes/1")
    assert "ZeroDivisionError" in found.seen and "signed in" in found.what


def test_a_door_that_opens_to_visitors_is_caught_beside_the_users_pass(place: Yard) -> None:
    opened = {"app.py": APP.replace('if session.get("user") else redirect("/login")', "if True else 0")}
    found = place.routes(HERE, RULES).judge(place.ready(), place.snapshot(opened))[0]
    assert {(one.code, one.subject) for one in found} >= {("status-changed", "/profile")}


def test_two_passes_of_the_same_tree_agree(place: Yard) -> None:
    assert place.routes(HERE, RULES).judge(place.ready(), place.snapshot({}))[0] == ()


def test_a_login_that_does_not_work_is_a_matter_of_set_up_at_base_and_an_objection_later(place: Yard) -> None:
    wrong = replace(RULES, login=Login("/login", (("user", "keeper"), ("password", "guess"))))
    with pytest.raises(SiteBroken, match=r"gate\.routes\.login: /login does not sign in: it shows the form again"):
        place.routes(HERE, wrong).baseline(place.base)
    shut = {"app.py": APP.replace('"lantern"', '"candle"')}
    found = place.routes(HERE, RULES).judge(place.ready(), place.snapshot(shut))[0]
    assert [one.code for one in found] == ["site-broken"] and "does not sign in" in found[0].seen


def test_a_user_signs_in_over_https_where_the_site_insists_on_it(place: Yard) -> None:
    insisting = """
@app.before_request
def secured():
    if not request.is_secure: return redirect(request.url.replace("http:", "https:", 1))
"""
    base = place.tree({"app.py": APP + insisting})
    assert place.routes(HERE, RULES).baseline(base).counts["verified"] == 4
