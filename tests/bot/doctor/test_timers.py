"""What starts the cycles, looked at on machines made of files (the shared cases 36 and 37 among them)."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.cli.doctor import _firing
from bot.doctor.check import Check, taken
from bot.doctor.timers import Firing, looks, unreachable
from bot.machine.environment import read_environment
from bot.settings import Settings
from bot.timer import planned
from bot.timer.cron import crontab
from bot.timer.install import write
from bot.timer.plan import Manager
from bot.timer.schedulers import Machine
from tests.support.settings import loaded

PROGRAM = Path("/bin/plusone")
NOW = datetime(2026, 11, 30, 5, 0, tzinfo=UTC)
HANGS = "[Service]\nType=oneshot\nExecStart=/usr/bin/plusone run\n"


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "root", tmp_path / "home")


@pytest.fixture
def said(tmp_path: Path) -> Settings:
    return loaded(tmp_path)


def found(
    said: Settings, machine: Machine, ask: Callable[[tuple[str, ...]], bytes] = unreachable
) -> dict[str, list[Check]]:
    checks: dict[str, list[Check]] = {}
    for one in taken(looks(Firing(said, machine, "keeper", NOW, ask))):
        checks.setdefault(one.name, []).append(one)
    return checks


def installed(said: Settings, machine: Machine, manager: Manager, boot: bool = True) -> None:
    write(planned(said, PROGRAM, manager), machine.user_units if manager == "user" else machine.system_units)
    if boot:
        (machine.root / "run/systemd/system").mkdir(parents=True, exist_ok=True)


def active(command: tuple[str, ...]) -> bytes:
    assert command[-4:] == ("show", "plusone-harbour.timer", "-p", "ActiveState")
    return b"ActiveState=active\n"


def test_a_site_that_nothing_starts_is_told_how_to_be_started(said: Settings, machine: Machine) -> None:
    checks = found(said, machine)
    assert checks["timer"] == [
        Check("timer", "warning", "nothing starts cycles of this site by itself", "plusone timer install")
    ]
    assert set(checks) == {"timer", "schedulers"}


def test_an_active_timer_tells_when_it_fires_next(said: Settings, machine: Machine) -> None:
    installed(said, machine, "system")
    checks = found(said, machine, active)
    assert checks["timer"][0].level == "ok"
    assert checks["timer"][0].seen == "plusone-harbour.timer is active; next at 2026-11-30 08:00 UTC, and a jitter"
    assert [one.level for one in (*checks["schedulers"], *checks["unit"])] == ["ok", "ok"]


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("OnCalendar=18:00\nOnCalendar=06:30\n", "next at 2026-11-30 06:30 UTC"),
        ("OnCalendar=06:00\nOnCalendar=\nOnCalendar=23:00\n", "next at 2026-11-30 23:00 UTC"),
        ("OnUnitActiveSec=4h\n", "systemctl list-timers tells"),
        ("OnCalendar=2020-01-01\n", "systemctl list-timers tells"),
        ("OnCalendar=soon\n", "systemctl list-timers tells"),
    ],
)
def test_a_timer_that_somebody_wrote_is_read_as_it_is(
    said: Settings, machine: Machine, written: str, told: str
) -> None:
    installed(said, machine, "system")
    (machine.system_units / "plusone-harbour.timer").write_text(f"[Timer]\n{written}")
    (one,) = found(said, machine, active)["timer"]
    assert one.level == "ok" and told in one.seen


def test_a_timer_that_was_installed_and_not_switched_on_is_a_failure(said: Settings, machine: Machine) -> None:
    installed(said, machine, "system")
    (one,) = found(said, machine, lambda _: b"ActiveState=inactive\n")["timer"]
    assert (one.level, one.mend) == ("failure", "systemctl enable --now plusone-harbour.timer")


def test_units_on_a_machine_without_systemd_start_nothing(said: Settings, machine: Machine) -> None:
    installed(said, machine, "system", boot=False)
    (one,) = found(said, machine)["timer"]
    assert one.level == "warning" and "no systemd is running here" in one.seen


def test_a_line_of_cron_is_enough(said: Settings, machine: Machine) -> None:
    (machine.root / "etc").mkdir(parents=True)
    (machine.root / "etc/crontab").write_text(crontab(said, PROGRAM))
    assert [one.level for ones in found(said, machine).values() for one in ones] == ["ok", "ok"]


def test_a_second_scheduler_is_flagged_with_the_way_to_be_rid_of_it(said: Settings, machine: Machine) -> None:
    installed(said, machine, "system")
    (machine.root / "etc").mkdir(parents=True, exist_ok=True)
    (machine.root / "etc/crontab").write_text(crontab(said, PROGRAM))
    (one,) = found(said, machine, active)["schedulers"]
    assert one.level == "warning" and one.seen.startswith("2 start cycles of this site: ")
    assert one.mend == f"take the line out of {machine.root}/etc/crontab:2"


@pytest.mark.parametrize("knob", ["", "RuntimeMaxSec=45min\n"])
def test_an_old_unit_without_a_start_timeout_is_a_failure(said: Settings, machine: Machine, knob: str) -> None:
    machine.system_units.mkdir(parents=True)
    (machine.system_units / "old.service").write_text(HANGS + knob)
    (machine.system_units / "old.timer").write_text("[Timer]\nOnCalendar=daily\n")
    (one,) = found(said, machine)["unit"]
    assert one.level == "failure" and "has no start timeout" in one.seen


def test_a_users_timer_needs_the_user_to_linger(said: Settings, machine: Machine) -> None:
    installed(said, machine, "user")
    (one,) = found(said, machine, active)["linger"]
    assert (one.level, one.mend) == ("failure", "loginctl enable-linger keeper")
    (machine.root / "var/lib/systemd/linger").mkdir(parents=True)
    (machine.root / "var/lib/systemd/linger/keeper").touch()
    assert found(said, machine, active)["linger"][0].level == "ok"


def test_a_manager_that_does_not_answer_is_a_failure_and_no_crash(said: Settings, machine: Machine) -> None:
    installed(said, machine, "system")
    (one,) = found(said, machine)["timer"]
    assert one.level == "failure" and "no systemd is running here" in one.seen


@pytest.mark.skipif(os.getuid() != 0, reason="only the administrator can become somebody else")
def test_a_user_without_an_account_of_its_own_is_no_reason_to_break(said: Settings) -> None:
    assert _firing(said, read_environment()).user  # and everything is imported
    if (child := os.fork()) == 0:
        try:
            os.setuid(61500)
            os._exit(0 if "61500" in _firing(said, read_environment()).user else 3)
        finally:
            os._exit(4)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
