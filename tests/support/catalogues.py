"""A small site with messages and a French catalogue, and the parts that watch over them."""

from __future__ import annotations

from dataclasses import replace

from bot.model import Site
from bot.parts import CataloguePart, CatalogueRules, Extractor
from tests.support.sites import Yard, site

HEAD = """
# French translations.
msgid ""
msgstr ""
"POT-Creation-Date: 2020-01-01 00:00+0000\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Language: fr\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""
KEPT = '\n#: templates/a.html:1\nmsgid "Kept"\nmsgstr "Garde"\n'
LOST = '\nmsgid "Lost one"\nmsgstr "Perdu un"\n\nmsgid "Lost two"\nmsgstr "Perdu deux"\n'
PATH = "locales/fr/LC_MESSAGES/messages.po"
A, B = "templates/a.html", "templates/b.html"
SITE = {
    "app.py": "from flask_babel import gettext as _\nTITLE = _('A title')\n",
    "babel.cfg": "[python: **.py]\n[jinja2: templates/**.html]\n",
    A: '<h1>{{ _("Kept") }}</h1>\n',
    B: '<p>{{ _("Lost one") }}{{ _("Lost two") }}</p>\n',
    PATH: HEAD + KEPT + LOST,
}


def speaking(**more: object) -> Site:
    """How the small site is loaded: it has no registries."""
    return replace(site(sources=()), **more)  # type: ignore[arg-type]


def part(place: Yard, require: tuple[str, ...] = (), folder: str = "", mapping: str = "") -> CataloguePart:
    """The catalogue part over that yard."""
    return CataloguePart(place.tools, Extractor(place.tools, speaking(), mapping), CatalogueRules(folder, require))
