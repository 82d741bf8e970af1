"""Catalogues: what is wrong in one, told entry by entry, and how it is compiled."""

from __future__ import annotations

import gettext
from io import BytesIO

import pytest
import time_machine
from hypothesis import given
from hypothesis import strategies as st

from gates.catalogue import catalogues, compile_catalogue, objections
from gates.placeholders import brace, percent
from gates.po import reading

HEAD = """msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=(n > 1);\\n"
"""
PLURAL = '\nmsgid "%(num)s light"\nmsgid_plural "%(num)s lights"\n'


def problems(body: str) -> list[tuple[str, str]]:
    return [(one.code, one.msgid) for one in reading((HEAD + body).encode(), "fr").problems]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ('\nmsgid "Hello %(name)s"\nmsgstr "Bonjour %(nom)s"\n', [("placeholder", "Hello %(name)s")]),
        ('\nmsgid "Hello %(name)s"\nmsgstr "Bonjour"\n', [("placeholder", "Hello %(name)s")]),
        ('\nmsgid "Hello {name}"\nmsgstr "Bonjour {nom}"\n', [("placeholder", "Hello {name}")]),
        ('\nmsgid "Hello {name}"\nmsgstr "Bonjour {name"\n', [("placeholder", "Hello {name}")]),
        ('\nmsgid "%s of %s"\nmsgstr "%s"\n', [("placeholder", "%s of %s")]),
        ('\nmsgid "%s of %d"\nmsgstr "%d von %s"\n', [("placeholder", "%s of %d")]),
        ('\nmsgid "Hello %(name)s"\nmsgstr "Bonjour %(name)d"\n', [("placeholder", "Hello %(name)s")]),
        ('\nmsgid "Hello %(user.name)s"\nmsgstr "Salut %(user.nom)s"\n', [("placeholder", "Hello %(user.name)s")]),
        ('\nmsgid "%(n)i of %(m).2f"\nmsgstr "%(m)g / %(n)d"\n', []),
        ('\nmsgid "%(n)s percent"\nmsgstr "%(n)s %"\n', [("placeholder", "%(n)s percent")]),
        ('\nmsgid "%(n)s percent"\nmsgstr "%(n)s %%"\n', []),
        ('\nmsgid "100%% %(n)s"\nmsgstr "100% sûr %(n)s"\n', [("placeholder", "100%% %(n)s")]),
        ('\n#, no-python-format\nmsgid "50%off"\nmsgstr "50 %"\n', []),
        ('\n#, no-python-brace-format\nmsgid "Use {x}"\nmsgstr "x"\n', []),
        ('\nmsgid "a"\nmsgstr "b\u2028c\x0cd\x85"\n', []),
        ('\n#, fuzzy\n#| msgid "x"\n#| msgid_plural "xs"\nmsgid "a"\nmsgstr "b"\n', []),
        ('\n#~| msgid "older"\n#~ msgid "old"\n#~ msgstr "alt"\n', []),
        ('\nmsgid "Hello %(name)s"\nmsgstr ""\n', []),
        ('\nmsgid "100% sure"\nmsgstr "à 100 %"\n', []),
        ('\nmsgid "a } brace"\nmsgstr "une { accolade"\n', []),
        ('\n#, fuzzy, python-format\nmsgid "Hi %(user)s"\nmsgstr "Salut %(nom)s"\n', []),
        (PLURAL + 'msgstr[0] "un phare"\nmsgstr[1] "%(num)s phares"\n', [("placeholder", "%(num)s light")]),
        (PLURAL + 'msgstr[0] "%(num)s phare"\nmsgstr[1] "%(nom)s phares"\n', [("placeholder", "%(num)s light")]),
        (PLURAL + 'msgstr[0] "%(num)s phare"\nmsgstr[1] ""\n', [("plural-count", "%(num)s light")]),
        ('\nmsgid "one"\nmsgid_plural "%(num)s"\nmsgstr[0] "un"\nmsgstr[1] "%(num)s"\n', []),
        ('\nmsgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', [("duplicate", "a")]),
        ('\nmsgctxt "x"\nmsgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', []),
        ('\nmsgid "a\nmsgstr "b"\n', [("malformed", "")]),
        ('\n#~ msgid "a"\n#~ msgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', []),
    ],
)
def test_each_entry_is_judged_by_itself(body: str, expected: list[tuple[str, str]]) -> None:
    assert problems(body) == expected


def test_conflict_markers_and_unreadable_catalogues_are_told() -> None:
    codes = {
        code for code, _ in problems('\n<<<<<<< ours\nmsgid "a"\n=======\nmsgid "b"\n>>>>>>> theirs\nmsgstr "c"\n')
    }
    assert {"conflict-marker", "malformed"} <= codes
    assert problems(PLURAL + 'msgstr[0] "%(num)s"\nmsgstr[7] "%(num)s"\n') == [("malformed", "")]


@given(st.text(), st.binary(max_size=200))
def test_no_catalogue_breaks_the_reader(text: str, raw: bytes) -> None:
    for content in (raw, text.encode("utf-8", "replace"), HEAD.encode() + raw):
        assert reading(content, "fr").messages >= 0
        compiled = compile_catalogue(content)
        assert compiled is None or gettext.GNUTranslations(BytesIO(compiled)) is not None


@given(st.lists(st.sampled_from(["%(a)s", "%(b)d", "%s", "%%", "{c}", "{}", "{{", "}}", " x "])))
def test_a_text_fits_itself(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert percent(text) == percent(text + "%%") and brace(text) is not None


def test_fuzzy_entries_are_not_compiled() -> None:
    compiled = compile_catalogue((HEAD + '\nmsgid "a"\nmsgstr "b"\n\n#, fuzzy\nmsgid "c"\nmsgstr "d"\n').encode())
    assert compiled is not None
    served = gettext.GNUTranslations(BytesIO(compiled))
    assert (served.gettext("a"), served.gettext("c")) == ("b", "c")
    assert compile_catalogue(b'msgid "a') is None


@pytest.mark.parametrize("date", ["", '"POT-Creation-Date: 2024-05-06 07:08+0000\\n"\n'])
@pytest.mark.parametrize("comment", ["", "# POT-Creation-Date: never\n"])
def test_a_compiled_catalogue_does_not_depend_on_the_clock(date: str, comment: str) -> None:
    """Or a replay, and a cycle that is finished a minute later, would come to another tree."""
    head = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    source = f'{comment}{head}{date}\nmsgid "a"\nmsgstr "b"\n'.encode()
    made = []
    for when in ("2026-01-01T00:00:00Z", "2026-01-02T03:04:05Z"):
        with time_machine.travel(when):
            made.append(compile_catalogue(source))
    assert made[0] == made[1] is not None
    assert (b"2024-05-06" in (made[0] or b"")) is bool(date)


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + HEAD.encode() + b'\nmsgid "a"\nmsgstr "b"\n',
        (HEAD + '\nmsgid "a"\nmsgstr "b"\n\n#~| msgid "older"\n#~ msgid "old"\n#~ msgstr "alt"\n').encode(),
        (HEAD + '\nmsgid "a"\nmsgstr "b"\n\n#~| msgid "older"\n#~ msgid "old"\n#~ msgstr "alt"\n')
        .replace("\n", "\r\n")
        .encode(),
    ],
    ids=["a byte order mark", "what an obsolete entry was before", "with the line ends of Windows"],
)
def test_what_other_tools_write_is_read_and_served(content: bytes) -> None:
    found = reading(content, "fr")
    assert found.live == {("", "a")} and not found.problems
    compiled = compile_catalogue(content)
    assert compiled is not None and gettext.GNUTranslations(BytesIO(compiled)).gettext("a") == "b"


def test_debt_at_base_is_no_objection_and_the_same_problem_twice_is() -> None:
    path = "locales/fr/LC_MESSAGES/messages.po"
    wrong = '\nmsgid "Hello %(name)s"\nmsgstr "Bonjour %(nom)s"\n'
    base = reading((HEAD + wrong).encode(), "fr")
    again = reading((HEAD + wrong + wrong.replace("Hello", "Bye")).encode(), "fr")
    assert list(objections(path, base, base)) == []
    assert [one.subject for one in objections(path, base, again)] == ["Bye %(name)s"]
    fewer = reading((HEAD.replace("nplurals=2; plural=(n > 1)", "nplurals=1; plural=0") + wrong).encode(), "fr")
    assert [one.code for one in objections(path, base, fewer)] == ["catalogue-plural-count"]
    assert [one.where for one in objections(path, None, base)] == [f"{path}:6"]


def test_a_live_translation_that_says_something_else_is_an_objection_and_a_filled_in_one_is_not() -> None:
    path, said = "locales/fr/LC_MESSAGES/messages.po", '\nmsgid "Lamp"\nmsgstr "Lampe"\n\nmsgid "Fog"\nmsgstr ""\n'
    base = reading((HEAD + said).encode(), "fr")
    filled = reading((HEAD + said.replace('"Fog"\nmsgstr ""', '"Fog"\nmsgstr "Brume"')).encode(), "fr")
    assert list(objections(path, base, filled)) == []
    (one,) = objections(path, base, reading((HEAD + said.replace("Lampe", "Ampoule")).encode(), "fr"))
    assert (one.code, one.subject, one.seen) == ("translation-changed", "Lamp", "Ampoule; before: Lampe")


def test_catalogues_are_found_in_their_folder_only() -> None:
    from bot.model import TreeEntry

    file, link = TreeEntry("100644", "a", 1), TreeEntry("120000", "b", 1)
    entries = {
        "x/fr/LC_MESSAGES/m.po": file,
        "y/de/LC_MESSAGES/m.po": file,
        "m.po": file,
        "x/it/LC_MESSAGES/m.po": link,
    }
    assert list(catalogues(entries)) == ["x/fr/LC_MESSAGES/m.po", "y/de/LC_MESSAGES/m.po"]
    assert list(catalogues(entries, "x/")) == ["x/fr/LC_MESSAGES/m.po"]


@pytest.mark.parametrize("number", ["101", "99999999999999999999", "9_999_999_999"])
def test_a_header_with_more_plural_forms_than_any_language_has_is_malformed(number: str) -> None:
    content = (HEAD.replace("nplurals=2", f"nplurals={number}") + PLURAL + 'msgstr[0] "a"\n').encode()
    assert [one.code for one in reading(content, "fr").problems] == ["malformed"]
    assert compile_catalogue(content) is None
