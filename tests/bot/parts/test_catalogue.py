"""The catalogue part over a real store, with the site's own Babel in the real sandbox."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path

import pytest

from bot.errors import SiteBroken
from bot.model import Objection
from bot.parts import Extractor
from tests.support.catalogues import HEAD, KEPT, LOST, PATH, SITE, A, B, part, speaking
from tests.support.sites import Yard, yard

PO = SITE[PATH]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("po"), SITE)


def judged(place: Yard, files: Mapping[str, str | None], require: tuple[str, ...] = ()) -> tuple[Objection, ...]:
    return part(place, require).judge(place.ready(), place.snapshot(files))[0]


def codes(found: tuple[Objection, ...]) -> list[tuple[str, str]]:
    return [(one.code, one.subject) for one in found]


def test_base_is_measured_with_its_messages(place: Yard) -> None:
    counts = {"catalogues": 1, "messages": 3, "problems at base": 0, "extracted": 4}
    assert part(place).baseline(place.base).counts == counts
    assert part(place, folder="locales").baseline(place.base).counts == counts


def test_another_babel_in_the_sites_environment_is_another_baseline(place: Yard, tmp_path: Path) -> None:
    assert f"the site's babel {version('babel')}" in part(place).baseline(place.base).tool
    other = tmp_path / "lib/python3.11/site-packages/babel-2.14.0.dist-info"
    other.mkdir(parents=True)
    elsewhere = Extractor(place.tools, speaking(python=str(tmp_path / "bin/python")))
    assert elsewhere.tool == "the site's babel 2.14.0"
    assert elsewhere._about != Extractor(place.tools, speaking())._about


def test_an_unchanged_tree_is_fine_and_so_are_added_messages_and_translations(place: Yard) -> None:
    assert judged(place, {}) == ()
    more = {A: SITE[A] + '{{ _("Tides") }}\n', PATH: PO + '\nmsgid "Tides"\nmsgstr "Marées"\n'}
    assert judged(place, more, ("fr",)) == ()
    assert judged(place, {A: SITE[A] + '{{ _("Tides") }}\n'}) == ()


def test_a_new_message_needs_a_translation_where_that_is_required(place: Yard) -> None:
    new = SITE[A] + '{{ _("Tides") }}{{ ngettext("%(num)s lamp", "%(num)s lamps", 2) }}\n'
    empty = PO + '\nmsgid "Tides"\nmsgstr ""\n'
    found = judged(place, {A: new, PATH: empty}, ("fr",))
    assert codes(found) == [("translation-missing", "Tides"), ("translation-missing", "%(num)s lamp")]
    assert {one.file for one in found} == {PATH}
    assert judged(place, {B: SITE[B] + '{{ _("Kept") }}'}, ("fr",)) == ()


def test_an_untranslated_message_of_base_is_debt_in_a_required_locale(place: Yard) -> None:
    assert judged(place, {"app.py": SITE["app.py"] + "ONE = 1\n"}, ("fr",)) == ()


def test_an_unknown_tag_that_loses_a_template_is_named(place: Yard) -> None:
    wrapped = '<hr>\n{% chart data %}{{ _("Lost one") }}{{ _("Lost two") }}{% endchart %}\n'
    (found,) = judged(place, {B: wrapped})
    assert (found.code, found.where) == ("template-unreadable", f"{B}:2")
    assert "unknown tag 'chart'" in found.seen and "2 messages are gone: 'Lost one', 'Lost two'" in found.seen


def test_a_new_template_with_an_unknown_tag_is_told_though_nothing_vanished(place: Yard) -> None:
    (found,) = judged(place, {"templates/new.html": '{% chart %}{{ _("Tides") }}'}, ("fr",))
    assert (found.code, found.file) == ("template-unreadable", "templates/new.html")
    assert "unknown tag 'chart'" in found.seen and "gone" not in found.seen
    assert judged(place, {"other/new.html": '{% chart %}{{ _("Tides") }}'}) == ()


def test_a_tag_that_the_mapping_knows_is_fine(tmp_path: Path) -> None:
    knowing = SITE["babel.cfg"] + "extensions = jinja2.ext.do\n"
    place = yard(tmp_path, {**SITE, "babel.cfg": knowing})
    assert judged(place, {B: SITE[B] + "{% do [].append(1) %}{% trans %}Kept{% endtrans %}"}) == ()


def test_a_template_that_base_cannot_read_is_debt(tmp_path: Path) -> None:
    old = '{% old %}{{ _("Old") }}'
    place = yard(tmp_path, {**SITE, "templates/aa.html": old})
    assert judged(place, {A: SITE[A] + "<hr>\n", "templates/aa.html": old + "<hr>\n"}) == ()
    (found,) = judged(place, {B: "{% chart %}" + SITE[B]})
    assert found.file == B and "'chart'" in found.seen


def test_messages_that_vanish_otherwise_are_told_by_their_file(place: Yard) -> None:
    hidden = SITE[B].replace("_(", "u(")
    (found,) = judged(place, {B: hidden})
    assert (found.code, found.file) == ("messages-vanished", B)
    assert found.seen == "2 messages are gone: 'Lost one', 'Lost two'"


def test_messages_that_the_change_takes_out_may_go_with_their_translations(place: Yard) -> None:
    fewer = {B: '<p>{{ _("Lost one") }}</p>\n', PATH: HEAD + KEPT + LOST.partition('\nmsgid "Lost two"')[0]}
    assert judged(place, fewer) == ()
    assert judged(place, {B: None, PATH: HEAD + KEPT}) == ()
    assert codes(judged(place, {PATH: HEAD + KEPT})) == [
        ("translation-lost", "Lost one"),
        ("translation-lost", "Lost two"),
    ]


def test_a_reworded_message_that_turns_fuzzy_is_a_lost_translation(place: Yard) -> None:
    fuzzy = HEAD + LOST + '\n#, fuzzy\nmsgid "Kept!"\nmsgstr "Garde"\n'
    reworded = {A: SITE[A].replace("Kept", "Kept!"), PATH: fuzzy}
    found, evidence = part(place).judge(place.ready(), place.snapshot(reworded))
    assert codes(found) == [("translation-lost", "Kept")]
    assert evidence.notes == (f"{PATH}: 1 more fuzzy entries are not served",)
    assert judged(place, {**reworded, PATH: fuzzy.replace("#, fuzzy\n", "")}) == ()


def test_a_wrong_placeholder_is_told_with_its_line_unless_it_is_fuzzy(place: Yard) -> None:
    wrong = '\n#, python-format\nmsgid "Hello %(name)s"\nmsgstr "Bonjour %(nom)s"\n'
    (found,) = judged(place, {PATH: PO + wrong})
    assert (found.code, found.subject) == ("catalogue-placeholder", "Hello %(name)s")
    line = int(found.where.rpartition(":")[2])
    assert "Hello %(name)s" in (PO + wrong).lstrip("\n").splitlines()[line - 1]
    assert "unknown %(nom)" in found.seen
    assert judged(place, {PATH: PO + wrong.replace("#, ", "#, fuzzy, ")}) == ()


def test_wrong_placeholders_of_base_are_debt(tmp_path: Path) -> None:
    wrong = '\nmsgid "Hello %(name)s"\nmsgstr "Bonjour %(nom)s"\n'
    place = yard(tmp_path, {**SITE, PATH: PO + wrong})
    assert part(place).baseline(place.base).counts["problems at base"] == 1
    assert judged(place, {PATH: PO + wrong + '\nmsgid "Tides"\nmsgstr "Marées"\n'}) == ()


def test_a_source_that_stops_the_extraction_is_an_objection_that_names_it(tmp_path: Path) -> None:
    loud = SITE["babel.cfg"] + "silent = false\n"
    place = yard(tmp_path, {**SITE, "babel.cfg": loud})
    (found,) = judged(place, {B: "{% chart %}" + SITE[B]})
    assert (found.code, found.file) == ("messages-unreadable", B)
    assert "unknown tag 'chart'" in found.seen


def test_a_mapping_that_names_what_jinja_removed_is_refused_with_its_line(tmp_path: Path) -> None:
    old = SITE["babel.cfg"] + "extensions=jinja2.ext.autoescape,jinja2.ext.with_\n"
    place = yard(tmp_path, {**SITE, "babel.cfg": old})
    with pytest.raises(SiteBroken, match=r"babel\.cfg:3: extensions=.*delete jinja2\.ext\.autoescape from that line"):
        part(place).baseline(place.base)


def test_an_extraction_method_that_nobody_knows_is_refused_with_the_cures(tmp_path: Path) -> None:
    place = yard(tmp_path, {**SITE, "babel.cfg": "[jnja2: templates/**.html]\n"})
    with pytest.raises(SiteBroken, match=r"babel\.cfg:1: \[jnja2: .*Unknown extraction method.*setuptools<81"):
        part(place).baseline(place.base)


@pytest.mark.parametrize(
    ("mapping", "told"),
    [
        (
            "[jinja2: **.html]\nextensions=webassets.ext.Assets\n",
            r"babel\.cfg:2: extensions=webassets.*put webassets into",
        ),
        (
            "[extractors]\nown = gone.text:extract\n[own: **.html]\n",
            r"babel\.cfg:2: own = gone.*put gone into the site's",
        ),
        (
            "[extractors]\nown = jinja2.ext:gone\n[own: **.html]\n",
            r"babel\.cfg:2: own = jinja2.*delete jinja2\.ext\.gone",
        ),
    ],
    ids=["an extension of another package", "an extractor of another package", "an extractor that is no more"],
)
def test_a_mapping_that_names_what_is_not_installed_is_refused_with_its_line(
    tmp_path: Path, mapping: str, told: str
) -> None:
    place = yard(tmp_path, {**SITE, "babel.cfg": mapping})
    with pytest.raises(SiteBroken, match=told):
        part(place).baseline(place.base)


def test_the_candidates_own_mapping_does_not_count(place: Yard) -> None:
    assert judged(place, {"babel.cfg": "[jnja2: templates/**.html]\n"}) == ()


@pytest.mark.parametrize("name", ["conf/extract.ini", "babel.ini", "babel.toml"])
def test_nor_does_it_under_another_name(tmp_path: Path, name: str) -> None:
    plain = '[[mappings]]\nmethod = "jinja2"\npattern = "templates/**.html"\n'
    mapping = plain if name.endswith(".toml") else SITE["babel.cfg"]
    place = yard(tmp_path, {path: text for path, text in SITE.items() if path != "babel.cfg"} | {name: mapping})
    asked = part(place, mapping=name)
    assert asked.baseline(place.base).counts["extracted"] > 0
    for other in (mapping.replace("templates", "elsewhere"), None):
        assert asked.judge(place.ready(), place.snapshot({name: other}))[0] == ()


def test_what_an_extractor_of_the_site_prints_disturbs_nothing(tmp_path: Path) -> None:
    noisy = "print('noise')\ndef extract(fileobj, keywords, comment_tags, options):\n    yield 1, '_', 'Own', []\n"
    own = "[extractors]\nown = noisy:extract\n[own: **.own]\n"
    place = yard(tmp_path, {**SITE, "noisy.py": noisy, "x.own": "", "babel.cfg": SITE["babel.cfg"] + own})
    assert part(place).baseline(place.base).counts["extracted"] == 5


def test_what_is_required_and_cannot_be_had_is_a_fault_of_the_set_up(place: Yard, tmp_path: Path) -> None:
    with pytest.raises(SiteBroken, match=r"names de, but messages\.po is there for fr only"):
        part(place, ("fr", "de")).baseline(place.base)
    with pytest.raises(SiteBroken, match=r"gate\.catalogue\.mapping: no\.cfg is not in the repository"):
        part(place, mapping="no.cfg").baseline(place.base)
    unmapped = yard(tmp_path, {PATH: PO})
    with pytest.raises(SiteBroken, match="no file says how messages are extracted"):
        part(unmapped, ("fr",)).baseline(unmapped.base)
    assert part(unmapped).baseline(unmapped.base).counts["extracted"] == 0


def test_a_site_without_catalogues_passes_whatever_its_mapping_says(tmp_path: Path) -> None:
    place = yard(tmp_path, {"app.py": "x = 1\n", "babel.cfg": "[jnja2: **.html]\n"})
    assert set(part(place).baseline(place.base).counts.values()) == {0}
    found, evidence = part(place).judge(place.ready(), place.snapshot({"app.py": "x = 2\n"}))
    assert (found, set(evidence.counts.values())) == ((), {0})


def test_a_catalogue_that_goes_is_told(place: Yard) -> None:
    assert codes(judged(place, {PATH: None})) == [("catalogue-gone", "fr")]
    elsewhere = part(place, folder="elsewhere")
    assert elsewhere.judge(place.ready(), place.snapshot({PATH: None}))[0] == ()


def test_messages_are_extracted_once_for_a_tree_whose_catalogues_alone_differ(place: Yard) -> None:
    first = part(place)
    plan = first._extractor.plan(place.base)
    assert plan is not None
    first.baseline(place.base)
    other = place.tree({PATH: HEAD})
    asked = len(list(place.tools.cache._folder.iterdir()))  # type: ignore[attr-defined]
    assert len(part(place)._extractor.extracted(other, place.base, plan).messages) == 4
    assert len(list(place.tools.cache._folder.iterdir())) == asked  # type: ignore[attr-defined]
