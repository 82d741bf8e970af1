"""A calendar expression of systemd said in cron's words, for machines without systemd."""

from __future__ import annotations

import shlex
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path

from oncalendar import OnCalendar

from bot.errors import ConfigError
from bot.settings import Settings
from bot.timer.deadline import deadline
from bot.timer.plan import filled

_FROM = datetime(2029, 12, 31, tzinfo=UTC)  # a Monday; what cron says must hold for any weeks
_WEEKS = 10
_MOST = 10_000


def crontab(settings: Settings, program: Path) -> str:
    """A line for a crontab. Raises ConfigError for a calendar that cron cannot say."""
    limit = f"/usr/bin/timeout --kill-after=90 {deadline(settings).systemd}"
    blanks = {
        "site": settings.site.name,
        "when": when(settings.timer.calendar),
        "timeout": limit,
        "program": _word(program),
        "config": _word(settings.file),
    }
    return filled("plusone.cron", blanks)


def when(calendar: str) -> str:
    """The five fields that fire at the same times. Raises ConfigError where there are none."""
    end = _FROM + timedelta(weeks=_WEEKS)
    firings = [
        *takewhile(
            lambda one: one[1] < end and one[0] < _MOST, enumerate(OnCalendar(calendar, _FROM - timedelta(seconds=1)))
        )
    ]
    times = {moment for _, moment in firings}
    minutes, hours, days = ({part(one) for one in times} for part in (_minute, _hour, _day))
    every = {
        _FROM + timedelta(weeks=week, days=day, hours=hour, minutes=minute)
        for week in range(_WEEKS)
        for day in days
        for hour in hours
        for minute in minutes
    }
    if not times or times != every:
        raise ConfigError(
            f'timer.calendar "{calendar}" cannot be said in cron: use times of the day, on chosen days of the week'
        )
    weekdays = {(day + 1) % 7 for day in days}
    return f"{_field(minutes, 60)} {_field(hours, 24)} * * {_field(weekdays, 7)}"


def _minute(moment: datetime) -> int:
    return moment.minute


def _hour(moment: datetime) -> int:
    return moment.hour


def _day(moment: datetime) -> int:
    return moment.weekday()


def _field(values: set[int], size: int) -> str:
    return "*" if len(values) == size else ",".join(map(str, sorted(values)))


def _word(path: Path) -> str:
    return shlex.quote(str(path)).replace("%", "\\%")
