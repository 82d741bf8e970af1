"""Which messages are new, which vanished, and which the change itself took out."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gates.complaint import Unread
from gates.messages import Message, fresh, messages, objections, vanished

TEMPLATE = b"""
msgid ""
msgstr ""
"Content-Type: text/plain; charset=utf-8\\n"

#: ./a.html:3 b.py:1
#, python-format
msgid "Hello %(name)s"
msgstr ""

#: a.html:4
msgctxt "verb"
msgid "light"
msgid_plural "lights"
msgstr[0] ""
msgstr[1] ""
"""


def one(text: str, *places: str) -> Message:
    return Message("", text, places=places or ("a.html:1",))


def gone(message: str, before: str | None, now: str | None, *new: Message) -> str:
    """What became of the message when the file's text changed."""
    base, candidate = {("", message): one(message)}, {("", message.text): message for message in new}
    lost, removed = vanished(base, candidate, lambda _: (before, now))
    return "lost" if lost else "removed" if removed else "kept"


def test_a_template_is_read_whole() -> None:
    found = messages(TEMPLATE)
    assert found == {
        ("", "Hello %(name)s"): Message("", "Hello %(name)s", "", ("python-format",), ("a.html:3", "b.py:1")),
        ("verb", "light"): Message("verb", "light", "lights", (), ("a.html:4",)),
    }
    assert found[("", "Hello %(name)s")].files == ("a.html", "b.py")
    with pytest.raises(ValueError):
        messages(b'msgid "open')


@pytest.mark.parametrize(
    ("message", "before", "now", "expected"),
    [
        ("Lost one", '{{ _("Lost one") }}', '{% chart %}{{ _("Lost one") }}', "lost"),
        ("Lost one", '{{ _("Lost one") }}', "", "removed"),
        ("Lost one", '{{ _("Lost one") }}', None, "removed"),
        ("No", '{{ _("No") }} None, No.', "None, No.", "removed"),
        ("No", '{{ _("No") }} No', '{% x %}{{ _("No") }} No', "lost"),
        ("Hello %(name)s, hi", "{% trans %}Hello {{ name }}, hi{% endtrans %}", "{% x %}Hello {{ name }}, hi", "lost"),
        ("two words", '_("two "\n  "words")', '_("two "\n  "words") (', "lost"),
        ("two\nlines", '_("two\\nlines")', '_("two\\nlines") (', "lost"),
        ("...", '_("...")', '_("...") (', "removed"),
    ],
)
def test_what_the_file_still_holds_was_not_taken_out(message: str, before: str, now: str | None, expected: str) -> None:
    assert gone(message, before, now) == expected


def test_a_message_that_is_said_in_more_words_or_with_a_plural_was_taken_out() -> None:
    assert gone("Kept", '_("Kept")', '_("Kept well")', one("Kept well")) == "removed"
    assert (
        gone("a lamp", '_("a lamp")', 'ngettext("a lamp", "lamps")', Message("", "x", "a lamp", (), ("a.html:1",)))
        == "removed"
    )
    assert gone("Kept", '_("Kept")', '{% x %}_("Kept")', one("Kept well", "other.html:1")) == "lost"


def test_each_file_that_lost_messages_is_one_objection_and_the_reason_is_told_where_it_is_known() -> None:
    lost = (one("One"), one("Two"), one("Three", "b.html:1"))
    new = {file: Unread(file, 7, f"unknown tag in {file}") for file in ("a.html", "new.html")}
    a, fresh, b = objections(lost, new)
    assert [found.where for found in (a, fresh, b)] == ["a.html:7", "new.html:7", "b.html"]
    assert a.seen == "unknown tag in a.html; 2 messages are gone: 'One', 'Two'"
    assert (fresh.seen, b.seen) == ("unknown tag in new.html", "1 messages are gone: 'Three'")


@given(st.text(min_size=1), st.text(), st.text())
def test_text_that_nobody_touched_keeps_its_messages(message: str, before: str, after: str) -> None:
    text = f"{before} {message} {after}"
    assert gone(message, text, text) in ("lost", "removed" if not any(map(str.isalnum, message)) else "lost")
    assert gone(message, text, None) == "removed"


def test_new_messages_are_told_in_the_order_of_the_sources() -> None:
    candidate = {("", text): one(text) for text in ("z", "a", "m")}
    assert [message.text for message in fresh({("", "a"): one("a")}, candidate)] == ["z", "m"]
