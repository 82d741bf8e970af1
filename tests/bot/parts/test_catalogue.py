"""The catalogue part over a real store."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.parts import CataloguePart
from tests.support.sites import Yard, yard

HEAD = """
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Language: fr\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""
WELCOME = '\nmsgid "Welcome"\nmsgstr "Bienvenue"\n'
PATH = "locales/fr/LC_MESSAGES/messages.po"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("po"), {PATH: HEAD + WELCOME, "app.py": "x = 1\n"})


def test_a_reworded_message_that_turns_fuzzy_is_a_lost_translation(place: Yard) -> None:
    fuzzy = HEAD + '\n#, fuzzy\nmsgid "Welcome!"\nmsgstr "Bienvenue"\n'
    found, evidence = CataloguePart(place.tools, "locales").judge(place.ready(), place.snapshot({PATH: fuzzy}))
    assert [(one.code, one.subject, one.file) for one in found] == [("translation-lost", "Welcome", PATH)]
    assert evidence.notes == (f"{PATH}: 1 fuzzy entries are not served",)
    assert evidence.counts == {"catalogues": 1, "messages": 1, "problems at base": 0, "changed": 1, "new": 1}


def test_an_added_translation_is_fine_and_base_is_counted_once(place: Yard) -> None:
    part = CataloguePart(place.tools)
    more = HEAD + WELCOME + '\nmsgid "Tides"\nmsgstr "Marées"\n'
    assert part.judge(place.ready(), place.snapshot({PATH: more}))[0] == ()
    assert part.baseline(place.base) == CataloguePart(place.tools, "locales").baseline(place.base)


def test_a_catalogue_that_goes_is_told_and_a_site_without_any_passes(place: Yard, tmp_path: Path) -> None:
    found, _ = CataloguePart(place.tools).judge(place.ready(), place.snapshot({PATH: None}))
    assert [one.code for one in found] == ["catalogue-gone"]
    found, evidence = CataloguePart(place.tools, "elsewhere").judge(place.ready(), place.snapshot({PATH: None}))
    assert (found, evidence.counts["catalogues"]) == ((), 0)
