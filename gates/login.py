"""Signing in by a site's own form: what is posted, and which cookies come of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import urlencode

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bot.frozen import frozen
from bot.model import Request, Response
from gates.address import absolute

Cookies = tuple[tuple[str, str], ...]


@frozen
class Login:
    """`[gate.routes] login`: the path of the form, and what is filled in."""

    path: str
    form: tuple[tuple[str, str], ...]

    @property
    def names(self) -> set[str]:
        """The fields that are filled in."""
        return {name for name, _ in self.form}


def posted(login: Login, page: Response, host: str, cookies: Cookies) -> Request:
    """The form, filled in: its own hidden fields, such as a token, are kept. A page without the form is posted to."""
    url = f"http://{host or 'localhost'}{login.path}"
    form = _form(page.body, login)
    action = absolute(url, (form.attributes.get("action") or url) if form is not None else url)
    fields = {**(_preset(form) if form is not None else {}), **dict(login.form)}
    headers = (("Content-Type", "application/x-www-form-urlencoded"), ("Referer", url))
    return Request("POST", action, host, headers, cookies, urlencode(fields).encode())


def kept(cookies: Cookies, response: Response) -> Cookies:
    """The cookies after an answer; one that is emptied is gone."""
    jar = dict(cookies)
    for name, value in response.headers:
        if name.lower() == "set-cookie":
            key, _, text = value.partition(";")[0].strip().partition("=")
            jar[key] = text
    return tuple((key, text) for key, text in jar.items() if text)


def refused(login: Login, answer: Response) -> str:
    """Why the site did not let the user in; empty where it did."""
    if not 200 <= answer.status < 400:
        return f"it answers {answer.status or 'nothing in time'}"
    if answer.status >= 300 and _path(answer.header("location")) == _path(login.path):
        return "it leads back to the form"
    if answer.status == 200 and _form(answer.body, login) is not None:
        return "it shows the form again"
    return ""


def _form(body: bytes, login: Login) -> LexborNode | None:
    forms = LexborHTMLParser(body).css("form")
    return next((form for form in forms if login.names <= set(_names(form.css("[name]")))), None)


def _names(nodes: Iterable[LexborNode]) -> Iterable[str]:
    return (node.attributes.get("name") or "" for node in nodes)


def _preset(form: LexborNode) -> Mapping[str, str]:
    nodes = form.css("input[type=hidden][name]")
    return {node.attributes["name"] or "": node.attributes.get("value") or "" for node in nodes}


def _path(url: str) -> str:
    return absolute("http://localhost/", url).partition("?")[0].rstrip("/")
