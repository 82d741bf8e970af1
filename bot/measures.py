"""Durations, sizes and ranges as people write them: `3h`, `2G`, `0..2`."""

from __future__ import annotations

import re
from datetime import timedelta

from bot.model import Range

_PART = re.compile(r"(\d{1,9})(s|min|m|h|d|w)", re.ASCII)
_SECONDS = {"s": 1, "min": 60, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_SPELT = (("d", 86_400), ("h", 3600), ("min", 60), ("s", 1))
_SIZE = re.compile(r"(\d{1,16})([KMGT]?)", re.ASCII)
_BYTES = {"": 1, "K": 1024, "M": 1024**2, "G": 1024**3, "T": 1024**4}
_RANGE = re.compile(r"(\d{1,6})\.\.(\d{1,6})", re.ASCII)
LONGEST = timedelta(days=3660)


def duration(text: str) -> timedelta:
    """`45s`, `90min`, `3h`, `7d`, `1h30min` as a length of time, at most ten years. Raises ValueError."""
    compact = text.strip()
    parts = _PART.findall(compact)
    if not parts or "".join(number + unit for number, unit in parts) != compact:
        raise ValueError('is not a duration: write it as "45s", "90min", "3h", "7d" or "1h30min"')
    seconds = sum(int(number) * _SECONDS[unit] for number, unit in parts)
    if seconds > LONGEST.total_seconds():
        raise ValueError("is longer than ten years")
    return timedelta(seconds=seconds)


def spell_duration(value: timedelta) -> str:
    """The shortest text that `duration` reads back as the same whole seconds."""
    left, text = int(value.total_seconds()), ""
    for unit, seconds in _SPELT:
        number, left = divmod(left, seconds)
        text += f"{number}{unit}" if number else ""
    return text or "0s"


def size(text: str) -> int:
    """`512M`, `2G` or plain bytes as a number of bytes (K is 1024). Raises ValueError."""
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise ValueError('is not a size: write it as "512M" or "2G"')
    return int(found[1]) * _BYTES[found[2]]


def spell_size(value: int) -> str:
    """The text with the largest unit that `size` reads back as the same number."""
    unit = next(unit for unit in ("T", "G", "M", "K", "") if value % _BYTES[unit] == 0) if value else ""
    return f"{value // _BYTES[unit]}{unit}"


def span(value: int | str) -> Range:
    """`1` or `"0..2"` as an inclusive range. Raises ValueError."""
    if isinstance(value, int):
        if not 0 <= value <= 999_999:
            raise ValueError("is not a count: it lies between 0 and 999999")
        return Range(value, value)
    found = _RANGE.fullmatch(value.strip())
    if not found or int(found[1]) > int(found[2]):
        raise ValueError('is not a count: write a number, or a range with the smaller end first, as "0..2"')
    return Range(int(found[1]), int(found[2]))


def spell_span(value: Range) -> int | str:
    """What `span` reads back as the same range."""
    return value.least if value.least == value.most else f"{value.least}..{value.most}"
