"""A change with a new message: what the bot appends, what the gate asks for, and what lands."""

from __future__ import annotations

from tests.endings.conftest import Stager
from tests.support.firing import Place
from tests.support.plays import YES, Turn, bash, play, replacing, submit
from tests.support.repository import git

PO = "locales/zh/LC_MESSAGES/messages.po"
LOOSE = ('require = ["zh"]\n', "")
PAGE = "src/lights/templates/tides.html"
VIEW = """

@blueprint.get("/tides")
def tides():
    return render_template("tides.html")
"""
TEMPLATE = """{% extends "base.html" %}
{% block title %}{{ _('About') }}{% endblock %}
{% block content %}
<h1>{{ _('About') }}</h1>
<p>{{ _('The tide turns twice a day.') }}</p>
{% endblock %}
"""
LINK = "<li><a href=\"{{ url_for('pages.about') }}\">"
LINKED = "<li><a href=\"{{ url_for('pages.tides') }}\">{{ _('About') }}</a></li>\n        " + LINK
TRANSLATED = '\nmsgid "The tide turns twice a day."\nmsgstr "潮水一天涨落两次。"\n'
BUILD = [
    bash(f"cat >> src/lights/views/pages.py <<'X'{VIEW}X\ncat > {PAGE} <<'X'\n{TEMPLATE}X"),
    replacing(LINK, LINKED, "src/lights/templates/base.html"),
    submit("feature", "tides", ("/tides",)),
]


def built(fix: Turn | None = None) -> dict[str, list[list[Turn]]]:
    return play(BUILD, (YES,), (fix,) if fix else ())


def catalogue(here: Place, commit: str) -> str:
    return git(here.made.remote, "show", f"{commit}:{PO}") + "\n"


def test_a_missing_entry_is_appended_where_nobody_has_to_translate_it(staged: Stager) -> None:
    here = staged(LOOSE)
    base = here.tip
    report = here.fire(built())
    here.landed(report, base)
    assert catalogue(here, here.tip) == catalogue(here, base) + '\nmsgid "The tide turns twice a day."\nmsgstr ""\n'


def test_a_missing_translation_is_asked_for_and_the_fixers_own_lands(staged: Stager) -> None:
    here = staged()
    base = here.tip
    report = here.fire(built(bash(f"cat >> {PO} <<'X'{chr(10)}{TRANSLATED}X")))
    here.landed(report, base)
    assert report["repairs"] == 1
    assert catalogue(here, here.tip) == catalogue(here, base) + "\n" + TRANSLATED
    with here.journal() as journal:
        rejected = next(step for step in journal.steps(str(report["cycle"])) if step.node == "gate")
        against = journal.value(rejected.type or "", rejected.value or "").objections  # type: ignore[attr-defined]
    assert [(one.code, one.file) for one in against] == [("translation-missing", PO)]


def test_a_repair_that_drops_the_message_drops_what_the_bot_appended(staged: Stager) -> None:
    here = staged()
    base = here.tip
    report = here.fire(built(replacing("<p>{{ _('The tide turns twice a day.') }}</p>\n", "", PAGE)))
    here.landed(report, base)
    assert catalogue(here, here.tip) == catalogue(here, base)
