"""Finding whoever starts cycles of a site, by reading a machine's files."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.timer import planned
from bot.timer.cron import crontab
from bot.timer.install import write
from bot.timer.schedulers import Machine, schedulers, starts
from tests.support.settings import loaded, with_lines

PROGRAM = Path("/opt/plus one/bin/plusone")


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path / "root", tmp_path / "home/.config")


def test_a_machine_without_any_has_none(tmp_path: Path, machine: Machine) -> None:
    assert schedulers(machine, tmp_path / "plusone.toml") == ()


def test_units_of_both_managers_and_a_line_of_cron_are_found(tmp_path: Path, machine: Machine) -> None:
    settings = loaded(tmp_path)
    write(planned(settings, PROGRAM), machine.system_units)
    write(planned(settings, PROGRAM, "user"), machine.user_units)
    table = machine.root / "etc/cron.d/plusone"
    table.parent.mkdir(parents=True)
    table.write_text(crontab(settings, PROGRAM))
    found = schedulers(machine, settings.file)
    assert [one.kind for one in found] == ["system", "user", "cron"]
    assert found[0].service and found[0].service.name == "plusone-harbour.service"
    assert found[2].where == f"{table}:2"


def test_another_sites_are_not_ours_and_a_failure_unit_is_none(tmp_path: Path, machine: Machine) -> None:
    write(planned(loaded(tmp_path), PROGRAM), machine.system_units)
    assert schedulers(machine, tmp_path / "other.toml") == ()


def test_a_timer_may_name_another_service(tmp_path: Path, machine: Machine) -> None:
    settings = loaded(tmp_path)
    machine.system_units.mkdir(parents=True)
    (machine.system_units / "nightly.timer").write_text("[Timer]\nOnCalendar=daily\nUnit=bot.service\n")
    (machine.system_units / "bot.service").write_text("[Service]\nExecStart=/usr/bin/plusone run\n")
    assert [one.where for one in schedulers(machine, settings.file)] == [f"{machine.system_units}/nightly.timer"]


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        (("/x/plusone", "run", "--config", "/s/plusone.toml"), True),
        (("nice", "plusone", "run", "--config=/s/plusone.toml"), True),
        (("plusone", "run"), True),
        (("plusone", "run", "--config", "/t/plusone.toml"), False),
        (("plusone", "doctor", "--config", "/s/plusone.toml"), False),
        (("run", "plusone"), False),
        ((), False),
    ],
)
def test_what_counts_is_running_a_cycle_of_that_configuration(command: tuple[str, ...], ours: bool) -> None:
    assert starts(command, Path("/s/plusone.toml")) is ours


def test_systemd_is_there_where_it_runs(machine: Machine) -> None:
    assert not machine.systemd
    (machine.root / "run/systemd/system").mkdir(parents=True)
    assert machine.systemd


def test_two_sites_on_one_machine_are_told_apart(tmp_path: Path, machine: Machine) -> None:
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        settings = loaded(folder, with_lines("site").replace('name = "harbour"', f'name = "{name}"'))
        write(planned(settings, PROGRAM), machine.system_units)
    (found,) = schedulers(machine, tmp_path / "two/plusone.toml")
    assert found.where.endswith("plusone-two.timer")
