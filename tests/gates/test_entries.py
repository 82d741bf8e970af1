"""Entries put at the end of a catalogue, and whether two catalogues say the same."""

from __future__ import annotations

from io import BytesIO

import pytest
from babel.messages.pofile import read_po
from hypothesis import given
from hypothesis import strategies as st

from gates.entries import appended, same
from gates.messages import Message

HEAD = b"""msgid ""
msgstr ""
"PO-Revision-Date: 2020-01-01 00:00+0000\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n==2 ? 1 : 2);\\n"
"""
ENTRY = b'\nmsgid "a"\nmsgstr "b"\n'
OLD = b'\n#~ msgid "old"\n#~ msgstr "alt"\n'
TIDES = Message("", "Tides", places=("a.html:1", "b.html:2"))


def test_an_entry_is_written_as_the_catalogue_itself_writes_them() -> None:
    assert appended(HEAD + ENTRY, "sl", [TIDES]) == HEAD + ENTRY + b'\nmsgid "Tides"\nmsgstr ""\n'
    placed = HEAD + b'\n#: x.py:9\nmsgid "a"\nmsgstr "b"\n'
    assert appended(placed, "sl", [TIDES]).endswith(b'\n#: a.html:1 b.html:2\nmsgid "Tides"\nmsgstr ""\n')
    filed = HEAD + b'\n#: x.py\nmsgid "a"\nmsgstr "b"\n'
    assert appended(filed, "sl", [TIDES]).endswith(b'\n#: a.html b.html\nmsgid "Tides"\nmsgstr ""\n')


def test_plurals_contexts_and_formats_are_spelt_out() -> None:
    message = Message("verb", '"%(num)s"\nlight', "lights", ("python-format",))
    assert (
        appended(HEAD, "sl", [message])
        .decode()
        .endswith(
            '\n#, python-format\nmsgctxt "verb"\nmsgid ""\n"\\"%(num)s\\"\\n"\n"light"\n'
            'msgid_plural "lights"\nmsgstr[0] ""\nmsgstr[1] ""\nmsgstr[2] ""\n'
        )
    )


def test_what_stands_there_is_not_added_again_and_line_ends_are_kept() -> None:
    assert appended(HEAD + ENTRY, "sl", [Message("", "a")]) == HEAD + ENTRY
    assert appended(HEAD, "sl", []) == HEAD
    windows = (HEAD + ENTRY).replace(b"\n", b"\r\n")
    assert appended(windows, "sl", [TIDES]) == windows + b'\r\nmsgid "Tides"\r\nmsgstr ""\r\n'
    assert appended(HEAD + ENTRY.rstrip(), "sl", [TIDES]).endswith(b'msgstr "b"\n\nmsgid "Tides"\nmsgstr ""\n')
    assert appended(HEAD + ENTRY + b"\n", "sl", [TIDES]) == HEAD + ENTRY + b'\nmsgid "Tides"\nmsgstr ""\n\n'
    assert b"Tides" in appended(HEAD + ENTRY + OLD, "sl", [TIDES]).partition(b"alt")[2]


@pytest.mark.parametrize(
    "content", [b'msgid "open', HEAD.replace(b"utf-8", b"ascii"), HEAD.replace(b"utf-8", b"no-such")]
)
def test_a_catalogue_that_cannot_take_it_is_left_alone(content: bytes) -> None:
    assert appended(content, "sl", [Message("", "Wärme")]) == content


@given(st.lists(st.builds(Message, st.text(max_size=5), st.text(min_size=1, max_size=20), st.text(max_size=5))))
def test_whatever_is_appended_can_be_read_and_moves_no_byte(new: list[Message]) -> None:
    made = appended(HEAD + ENTRY, "sl", new)
    assert made.startswith(HEAD + ENTRY)
    if made != HEAD + ENTRY:
        assert len(list(read_po(BytesIO(made), abort_invalid=True))) >= 2
        assert appended(made, "sl", new) == made


@pytest.mark.parametrize(
    ("old", "new", "equal"),
    [
        (b"2020", b"2026", True),
        (b'"Content-Type', b'"Language: sl\\n"\n"Generated-By: Babel 2.19.0\\n"\n"Content-Type', True),
        (b'msgid ""', b'\xef\xbb\xbfmsgid ""', True),
        (b'#~ msgid "old"', b'#~| msgid "older"\n#~ msgid "old"', True),
        (b'\nmsgid "a"', b'\n#: x.py:1\n# a note\nmsgid "a"', True),
        (b'msgid "a"', b'msgid ""\n"a"', True),
        (b'msgstr "b"', b'msgstr "c"', False),
        (b'\nmsgid "a"', b'\n#, fuzzy\nmsgid "a"', False),
        (b'\nmsgid "a"', b'\nmsgctxt "x"\nmsgid "a"', False),
        (b"nplurals=3", b"nplurals=2", False),
        (OLD, b"", False),
        (ENTRY, b"", False),
        (ENTRY, b'\nmsgid "open', False),
    ],
)
def test_catalogues_are_the_same_when_nobody_is_served_anything_else(old: bytes, new: bytes, equal: bool) -> None:
    whole = HEAD + ENTRY + OLD
    assert old in whole
    assert same(whole, whole.replace(old, new, 1)) is equal
