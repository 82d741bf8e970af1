"""A site with 41 catalogues that nobody here wrote: an addition touches each by one entry, and one fault is one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import pytest

from bot.model import Evidence, Objection
from bot.parts import CataloguePart, CatalogueRules, Extractor
from bot.parts.appender import Appender
from gates.entries import same
from tests.support.sites import Yard
from tests.support.strangers import STRANGERS

FOLDER = "src/ihatemoney/translations"
FRENCH = f"{FOLDER}/fr/LC_MESSAGES/messages.po"
HOME = "src/ihatemoney/templates/home.html"
NEW = '{% block body %}<p>{{ _("Count your lamps, %(name)s", name="Agnes") }}</p>'
ENTRY = b'#, python-format\nmsgid "Count your lamps, %(name)s"\nmsgstr ""\n'
ENOUGH = 60.0  # seconds for 41 catalogues; 4 to 7 were measured on two busy cores


@dataclass(frozen=True)
class Translated:
    """The site in a store, with a message more in a template, and what was appended for it."""

    place: Yard
    part: CataloguePart
    tree: str
    made: Mapping[str, bytes]

    def blob(self, path: str) -> bytes:
        return self.place.store.blob(self.place.store.entries(self.place.base)[path].oid)

    def judged(self, changed: Mapping[str, bytes]) -> tuple[tuple[Objection, ...], Evidence]:
        files = {path: ("100644", content) for path, content in {**self.made, **changed}.items()}
        snapshot = replace(self.place.snapshot({}), tree=self.place.store.write_tree(self.tree, files))
        return self.part.judge(self.place.ready(), snapshot)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Translated:
    (one,) = (one for one in STRANGERS if one.name == "ihatemoney")
    assert one.environment.exists(), f"{one.environment} is missing: run `make sites` (it needs the network, once)"
    place = one.yard(tmp_path_factory.mktemp("ihatemoney"))
    tools = place.using(one.site())
    extractor = Extractor(tools, one.site())
    template = place.store.blob(place.store.entries(place.base)[HOME].oid).decode()
    tree = place.tree({HOME: template.replace("{% block body %}", NEW, 1)})
    made = Appender(place.store, extractor, FOLDER).files(place.base, tree, {})
    return Translated(place, CataloguePart(tools, extractor, CatalogueRules(FOLDER)), tree, made)


def test_base_against_itself_objects_nothing(site: Translated) -> None:
    counts = site.part.baseline(site.place.base).counts
    assert (counts["catalogues"], counts["extracted"]) == (41, 293) and counts["messages"] > 12_000
    assert site.part.judge(site.place.ready(), site.place.snapshot({}))[0] == ()


def test_a_new_message_is_appended_to_every_catalogue_and_no_byte_moves(site: Translated) -> None:
    assert len(site.made) == 41
    for path, content in site.made.items():
        before = site.blob(path)
        assert content.startswith(before) and content[len(before) :].strip(b"\n") + b"\n" == ENTRY
        assert not same(before, content)
    found, evidence = site.judged({})
    assert found == () and evidence.notes == ()
    assert (evidence.counts["changed"], evidence.counts["new messages"]) == (41, 1)
    assert evidence.seconds < ENOUGH


def test_a_broken_placeholder_in_one_locale_is_the_one_objection(site: Translated) -> None:
    broken = site.made[FRENCH].replace(ENTRY, ENTRY.replace(b'msgstr ""', b'msgstr "Comptez vos lampes, %(nom)s"'))
    (objection,) = site.judged({FRENCH: broken})[0]
    assert (objection.code, objection.file) == ("catalogue-placeholder", FRENCH)
    assert objection.seen == "unknown %(nom)s; missing %(name)s"
