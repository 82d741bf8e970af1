"""Which language a visitor reads."""

from flask import request

LANGUAGES = {"en": "English", "zh": "中文"}


def select_locale():
    return request.accept_languages.best_match(list(LANGUAGES), default="en")
