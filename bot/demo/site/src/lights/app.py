"""Puts the site together."""

import os
from pathlib import Path

from flask import Flask, render_template
from flask_babel import Babel, get_locale

from lights.locale import LANGUAGES, select_locale
from lights.text import paragraphs
from lights.views import articles, contact, feeds, pages, projects, search


def create_app():
    app = Flask(__name__)
    app.config["SECRET_KEY"] = os.environ.get("LIGHTS_SECRET", "only for development")
    app.config["BABEL_DEFAULT_LOCALE"] = "en"
    app.config["BABEL_TRANSLATION_DIRECTORIES"] = str(Path(__file__).parents[2] / "locales")
    Babel(app, locale_selector=select_locale)

    for module in (pages, articles, projects, search, feeds, contact):
        app.register_blueprint(module.blueprint)

    app.add_template_filter(paragraphs)
    app.register_error_handler(404, not_found)
    app.context_processor(surroundings)
    return app


def surroundings():
    """What every template may use."""
    return {"locale": get_locale(), "languages": LANGUAGES}


def not_found(error):
    return render_template("errors/404.html"), 404
