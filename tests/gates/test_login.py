"""Signing in by a site's own form."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from bot.model import Response
from gates.login import Login, kept, posted, refused

LOGIN = Login("/sign/in", (("user", "keeper"), ("password", "lamp & oil")))
FORM = """<form action=/search><input name=q></form><form method=post action="check?next=/">
<input type=hidden name=csrf value=t0ken><input name=user><input name=password type=password></form>"""


def answer(status: int = 200, body: str = "", *cookies: str, location: str = "") -> Response:
    headers = [("Set-Cookie", cookie) for cookie in cookies] + ([("Location", location)] if location else [])
    return Response(status, tuple(headers), body.encode())


def test_the_form_is_filled_in_and_its_token_kept() -> None:
    request = posted(LOGIN, answer(body=FORM), "site.example", (("sid", "1"),))
    assert (request.method, request.url, request.host) == ("POST", "/sign/check?next=/", "site.example")
    assert parse_qs(request.body.decode()) == {"csrf": ["t0ken"], "user": ["keeper"], "password": ["lamp & oil"]}
    assert request.cookies == (("sid", "1"),)
    assert ("Content-Type", "application/x-www-form-urlencoded") in request.headers


def test_a_page_without_the_form_is_posted_to_as_it_is() -> None:
    request = posted(LOGIN, answer(body="{}"), "", ())
    assert request.url == "/sign/in" and parse_qs(request.body.decode())["user"] == ["keeper"]


def test_cookies_are_kept_replaced_and_dropped() -> None:
    jar = kept((), answer(200, "", "sid=1; Path=/; HttpOnly", "old=x"))
    assert kept(jar, answer(302, "", "sid=2; Path=/", "old=; Max-Age=0")) == (("sid", "2"),)


@pytest.mark.parametrize(
    ("response", "why"),
    [
        (answer(302, location="/home"), ""),
        (answer(200, "welcome"), ""),
        (answer(403), "403"),
        (answer(0), "nothing"),
        (answer(302, location="/sign/in?error=1"), "back to the form"),
        (answer(200, FORM), "form again"),
    ],
)
def test_being_turned_away_is_noticed(response: Response, why: str) -> None:
    assert why in refused(LOGIN, response) and bool(refused(LOGIN, response)) == bool(why)
