"""Serves the page: reading for everybody who reaches it, four wishes for who has the token, and strict headers."""

from __future__ import annotations

from collections.abc import Callable

from flask import Flask, Response, abort, jsonify, redirect, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as Answer

from bot.errors import ConfigError, JournalError, PlusoneError
from bot.pictures import picture
from bot.web.cycle import cycle_page
from bot.web.doorkeeper import COOKIE, Doorkeeper
from bot.web.examination import examination_page
from bot.web.files import cycle_html
from bot.web.known import known_page
from bot.web.overview import overview
from bot.web.render import Links, Visitor, rendered, static
from bot.web.site import Watched
from bot.web.wishes import record

LINKS = Links()
LARGEST = 16 * 1024
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with none at all, browsers send no origin along with a form
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


def application(site: Watched, door: Doorkeeper) -> Flask:
    """The page as a WSGI application."""
    app = Flask("plusone", static_folder=None, template_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=LARGEST, MAX_FORM_MEMORY_SIZE=LARGEST)
    app.before_request(lambda: _checked(door))
    app.after_request(_headers)
    app.register_error_handler(HTTPException, _refused)
    app.register_error_handler(PlusoneError, _broken)
    _reading(app, site, door)
    _wishing(app, site, door)
    return app


def _reading(app: Flask, site: Watched, door: Doorkeeper) -> None:
    pages: dict[str, Callable[..., ResponseReturnValue]] = {
        "/": lambda: rendered("overview.html", overview(site), LINKS, _visitor(door)),
        "/overview.json": lambda: jsonify(overview(site)),
        "/ledger": lambda: rendered("ledger.html", known_page(site), LINKS, _visitor(door)),
        "/ledger.json": lambda: jsonify(known_page(site)),
        "/cycles/<cycle>": lambda cycle: cycle_html(site, _there(site, cycle), LINKS, _visitor(door)),
        "/cycles/<cycle>.json": lambda cycle: jsonify(cycle_page(site, site.journal.run(_there(site, cycle)))),
        "/doctor": lambda: rendered("doctor.html", examination_page(site), LINKS, _visitor(door)),
        "/doctor.json": lambda: jsonify(examination_page(site)),
        "/cycles/<cycle>/<name>": lambda cycle, name: _picture(site, _there(site, cycle), name),
        "/style.css": lambda: Response(static("style.css"), mimetype="text/css"),
        "/icon.svg": lambda: Response(static("icon.svg"), mimetype="image/svg+xml"),
    }
    for rule, view in pages.items():
        app.add_url_rule(rule, rule, view, methods=["GET"])


def _wishing(app: Flask, site: Watched, door: Doorkeeper) -> None:
    def enter() -> Answer:
        session = door.enter(request.form.get("token", ""))
        if session is None:
            abort(403, "That is not the token that `plusone serve` printed.")
        answer = redirect(LINKS.home, 303)
        answer.set_cookie(COOKIE, session, httponly=True, samesite="Strict")
        return answer

    def leave() -> Answer:
        door.leave(request.cookies.get(COOKIE, ""))
        return redirect(LINKS.home, 303)

    def wish(word: str, cycle: str = "") -> Answer:
        who = f"the page ({request.remote_addr})"
        record(site, word, cycle and _there(site, cycle), who, request.form.get("why", ""))
        return redirect(LINKS.cycle(cycle) if cycle else LINKS.home, 303)

    app.add_url_rule("/enter", "enter", enter, methods=["POST"])
    app.add_url_rule("/leave", "leave", leave, methods=["POST"])
    app.add_url_rule("/<any(pause, resume):word>", "steer", wish, methods=["POST"])
    app.add_url_rule("/cycles/<cycle>/<any(approve, reject):word>", "answer", wish, methods=["POST"])


def _picture(site: Watched, cycle: str, name: str) -> Response:
    content = picture(site.folders.pictures(cycle), name)
    if content is None:
        abort(404, "No picture of that name is kept.")
    return Response(content, mimetype="image/png")


def _visitor(door: Doorkeeper) -> Visitor:
    return Visitor(True, door.seal(request.cookies.get(COOKIE)))


def _there(site: Watched, cycle: str) -> str:
    try:
        return site.journal.run(cycle).cycle
    except JournalError:
        abort(404, "No cycle of that name is recorded.")


def _checked(door: Doorkeeper) -> None:
    if not door.knows(request.host):
        abort(421, "This page is not known by that name; `plusone serve --name` adds one.")
    if request.method in ("GET", "HEAD"):
        return
    if not door.ours(request.headers.get("Origin")):
        abort(403, "This form did not come from this page.")
    if request.endpoint != "enter" and not door.accepts(request.cookies.get(COOKIE), request.form.get("seal", "")):
        abort(403, "Sign in with the token that `plusone serve` printed.")


def _headers(answer: Response) -> Response:
    answer.headers.update(HEADERS)
    return answer


def _refused(error: HTTPException) -> tuple[str, int]:
    page: dict[str, object] = {"title": error.name, "text": error.description or ""}
    return rendered("refused.html", page, LINKS, Visitor()), error.code or 500


def _broken(error: PlusoneError) -> tuple[str, int]:
    status = 409 if isinstance(error, ConfigError) else 500
    return rendered("refused.html", {"title": "That did not work", "text": str(error)}, LINKS, Visitor()), status
