"""One line, whatever was written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.lines import hides, one_line, printable, shortened


@given(st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"])))
def test_any_text_becomes_one_printable_line(text: str) -> None:
    assert one_line(text).isprintable()


def test_control_and_bidi_characters_are_spelt_out() -> None:
    assert one_line("a\x1b[31m\u202eb\x7f\U000e0041") == "a\\x1b[31m\\u202eb\\x7f\\U000e0041"
    assert one_line("two\n lines\r\n and\ttabs") == "two lines and tabs"


def test_a_long_line_ends_with_an_ellipsis() -> None:
    assert shortened("x" * 100, 10) == "x" * 9 + "…"
    assert shortened("short", 10) == "short"


@given(st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"])))
def test_text_of_several_lines_keeps_line_ends_and_tabs_and_nothing_else_that_hides(text: str) -> None:
    shown = printable(text)
    assert not any(hides(character) for character in shown if character not in "\n\t")
    assert shown.count("\n") == text.count("\n")
    assert shown.count("\t") == text.count("\t")


def test_what_people_read_is_left_alone() -> None:
    plain = "def f():\n\treturn '首页\u3000é\xa0ok'\n"
    assert printable(plain) == plain


def test_a_terminal_is_told_nothing_by_a_difference() -> None:
    assert printable("+\x1b]0;title\x07\r\n+\u202eabc\n") == "+\\x1b]0;title\\x07\\x0d\n+\\u202eabc\n"
