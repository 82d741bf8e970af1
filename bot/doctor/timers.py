"""What starts the cycles: is there anything, is it on, when does it fire next, is there only one, and can it hang?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from itertools import islice
from pathlib import Path

from oncalendar import OnCalendar, OnCalendarError

from bot.doctor.check import Check, Look
from bot.errors import CommandFailed
from bot.frozen import frozen
from bot.settings import Settings
from bot.timer.deadline import deadline
from bot.timer.install import control
from bot.timer.schedulers import Machine, Scheduler, schedulers
from bot.timer.unit import Unit, flaws

_LINGER = "var/lib/systemd/linger"
_INSTALL = "plusone timer install"
Ask = Callable[[tuple[str, ...]], bytes]


@frozen
class Firing:
    """What is asked: of which site, on which machine, by whom and when; `ask` runs a command of systemd."""

    settings: Settings
    machine: Machine
    user: str
    now: datetime
    ask: Ask

    @property
    def found(self) -> tuple[Scheduler, ...]:
        """All that start cycles of the site."""
        return schedulers(self.machine, self.settings.file)


def looks(firing: Firing) -> Iterator[Look]:
    """None of them changes anything."""
    found = firing.found
    yield Look("timer", lambda: timer(firing, found), _INSTALL)
    yield Look("schedulers", lambda: alone(found))
    for one in found:
        if one.service is not None:
            yield Look("unit", lambda one=one: unit(one, firing.settings))  # type: ignore[misc]
    if any(one.kind == "user" for one in found):
        yield Look("linger", lambda: linger(firing.machine, firing.user))


def timer(firing: Firing, found: tuple[Scheduler, ...]) -> Check:
    """Whether the first of them is on, and when it fires next."""
    if not found:
        return Check("timer", "warning", "nothing starts cycles of this site by itself", _INSTALL)
    first = found[0]
    if first.kind == "cron" or first.timer is None:
        return Check("timer", "ok", f"cron: {first.where}")
    if not firing.machine.systemd:
        return Check(
            "timer", "warning", f"{first.where} is there, but no systemd is running here", f"{_INSTALL} --cron"
        )
    manager = "user" if first.kind == "user" else "system"
    shown = firing.ask(
        control("user" if first.kind == "user" else "system", "show", first.timer.name, "-p", "ActiveState")
    )
    if shown.decode().strip() != "ActiveState=active":
        switch = "systemctl --user" if manager == "user" else "systemctl"
        return Check("timer", "failure", f"{first.where} is not active", f"{switch} enable --now {first.timer.name}")
    return Check("timer", "ok", f"{first.timer.name} is active; {_following(first.timer, firing.now)}")


def _following(timer: Unit, now: datetime) -> str:
    """When it fires next: at the first of its calendars' times, where it has any that can be read."""
    times: list[datetime] = []
    with suppress(OnCalendarError):
        for calendar in timer.all("Timer", "OnCalendar"):
            times += islice(OnCalendar(calendar, now), 1)
    if not times:
        return "systemctl list-timers tells when it fires next"
    return f"next at {min(times):%Y-%m-%d %H:%M %Z}, and a jitter"


def alone(found: tuple[Scheduler, ...]) -> Check:
    """The lock keeps two cycles apart; but two schedulers fire twice as often as the owner thinks."""
    if len(found) < 2:
        return Check("schedulers", "ok", "one" if found else "none")
    places = "; ".join(one.where for one in found)
    return Check("schedulers", "warning", f"{len(found)} start cycles of this site: {places}", _off(found[-1]))


def _off(one: Scheduler) -> str:
    if one.kind == "cron" or one.timer is None:
        return f"take the line out of {one.where}"
    return f"systemctl {'--user ' if one.kind == 'user' else ''}disable --now {one.timer.name}"


def unit(one: Scheduler, settings: Settings) -> Check:
    """A oneshot service has no start timeout unless it says so."""
    assert one.service is not None
    found = list(flaws(one.service, deadline(settings).own))
    if found:
        return Check(
            "unit", "failure", f"{one.service.path} {found[0]}", f"{_INSTALL}, then {_off(one)} if it is another"
        )
    return Check("unit", "ok", f"{one.service.name} ends what hangs")


def linger(machine: Machine, user: str) -> Check:
    """A user's timers stop when the user logs out, and do not start with the machine, unless the user lingers."""
    if (machine.root / _LINGER / user).exists():
        return Check("linger", "ok", f"{user} lingers")
    return Check(
        "linger", "failure", f"timers of {user} run only while {user} is logged in", f"loginctl enable-linger {user}"
    )


def unreachable(command: tuple[str, ...]) -> bytes:
    """For a machine on which systemd is not running: nothing may be asked."""
    raise CommandFailed(f"{Path(command[0]).name}: no systemd is running here")
