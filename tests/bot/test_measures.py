"""Durations, sizes and ranges: written, read, and written again."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.measures import duration, size, span, spell_duration, spell_size, spell_span
from bot.model import Range


@pytest.mark.parametrize(
    ("text", "minutes"), [("3h", 180), ("90min", 90), ("90m", 90), ("7d", 10_080), ("1h30min", 90), ("2w", 20_160)]
)
def test_durations_read_as_people_write_them(text: str, minutes: int) -> None:
    assert duration(text) == timedelta(minutes=minutes)


@pytest.mark.parametrize("text", ["", "3", "h", "-3h", "3 h", "3.5h", "3hours", "9999999d", "3h!", "３h"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"duration|ten years"):
        if duration(text) == timedelta(hours=3):
            pytest.fail("read as three hours")


@given(st.integers(0, 10**8))
def test_a_duration_reads_back(seconds: int) -> None:
    assert duration(spell_duration(timedelta(seconds=seconds))) == timedelta(seconds=seconds)


@given(st.integers(0, 2**50))
def test_a_size_reads_back(number: int) -> None:
    assert size(spell_size(number)) == number


def test_sizes_are_powers_of_1024_and_spelt_with_the_largest_unit() -> None:
    assert size("2G") == 2 * 1024**3
    assert spell_size(512 * 1024**2) == "512M"
    for text in ("", "G", "2g", "2GB", "-1", "1.5G"):
        with pytest.raises(ValueError, match="is not a size"):
            size(text)


@given(st.integers(0, 999_999), st.integers(0, 999_999))
def test_a_range_reads_back(one: int, other: int) -> None:
    value = Range(min(one, other), max(one, other))
    assert span(spell_span(value)) == value


@pytest.mark.parametrize("value", [-1, 10**9, "1", "2..1", "0..", "..2", "a..b", "0...2"])
def test_what_is_no_range_is_refused(value: int | str) -> None:
    with pytest.raises(ValueError, match="is not a count"):
        span(value)
