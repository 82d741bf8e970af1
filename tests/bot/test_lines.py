"""One line, whatever was written."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.lines import one_line, shortened


@given(st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"])))
def test_any_text_becomes_one_printable_line(text: str) -> None:
    assert one_line(text).isprintable()


def test_control_and_bidi_characters_are_spelt_out() -> None:
    assert one_line("a\x1b[31m\u202eb\x7f\U000e0041") == "a\\x1b[31m\\u202eb\\x7f\\U000e0041"
    assert one_line("two\n lines\r\n and\ttabs") == "two lines and tabs"


def test_a_long_line_ends_with_an_ellipsis() -> None:
    assert shortened("x" * 100, 10) == "x" * 9 + "…"
    assert shortened("short", 10) == "short"
