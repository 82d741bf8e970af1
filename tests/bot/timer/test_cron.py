"""Calendars in cron's words, checked against systemd's own reading of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.timer.cron import crontab, when
from tests.support.settings import loaded, with_lines


@pytest.mark.parametrize(
    ("calendar", "fields"),
    [
        ("00/4:00:00", "0 0,4,8,12,16,20 * * *"),
        ("daily", "0 0 * * *"),
        ("hourly", "0 * * * *"),
        ("Mon..Fri 04:30", "30 4 * * 1,2,3,4,5"),
        ("Sun 23:59", "59 23 * * 0"),
        ("weekly", "0 0 * * 1"),
    ],
)
def test_times_of_the_day_on_days_of_the_week_can_be_said(calendar: str, fields: str) -> None:
    assert when(calendar) == fields


@pytest.mark.parametrize("calendar", ["monthly", "*-*-1,15 04:00", "04:00:30", "2030-01-01", "*:*:0/10", "00:10,08:20"])
def test_what_cron_cannot_say_is_refused(calendar: str) -> None:
    if calendar == "00:10,08:20":
        calendar = "00:10\n08:20"
    with pytest.raises(ConfigError, match="cannot be said in cron"):
        when(calendar)


def test_the_line_ends_a_cycle_that_hangs_and_escapes_what_cron_would_read(tmp_path: Path) -> None:
    folder = tmp_path / "100% sure"
    folder.mkdir()
    settings = loaded(folder, with_lines("budget", "minutes = 10"))
    text = crontab(settings, Path("/opt/plusone"))
    line = text.splitlines()[-1]
    assert re.match(r"0 0,4,8,12,16,20 \* \* \* /usr/bin/timeout --kill-after=90 \d+ /opt/plusone run --config '", line)
    assert "100\\% sure" in line
