"""Letters from visitors."""

import secrets

from flask import (
    Blueprint,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    session,
    url_for,
)
from flask_babel import gettext as _

blueprint = Blueprint("contact", __name__)


@blueprint.get("/contact")
def form():
    return page({}, {})


@blueprint.post("/contact")
def send():
    if request.form.get("token", "") != session.get("token"):
        abort(400)
    letter = {name: request.form.get(name, "").strip() for name in ("name", "email", "message")}
    problems = check(letter)
    if problems:
        return page(letter, problems), 422
    current_app.logger.info("letter from %s: %s", letter["email"], letter["message"])
    return redirect(url_for("contact.thanks"))


@blueprint.get("/contact/thanks")
def thanks():
    return render_template("thanks.html")


def page(letter, problems):
    session.setdefault("token", secrets.token_hex(16))
    return render_template("contact.html", letter=letter, problems=problems, token=session["token"])


def check(letter):
    problems = {}
    if "@" not in letter["email"]:
        problems["email"] = _("Please give an address that we can answer to.")
    if not letter["message"]:
        problems["message"] = _("Please write something.")
    return problems
