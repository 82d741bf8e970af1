"""The units: what they say, and what systemd's own checker says of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.pictures import MOST
from bot.pictures.camera import PAGE, SPARE, STARTING
from bot.settings import load
from bot.timer import deadline, planned
from bot.timer.plan import Manager, quoted
from bot.timer.proof import verify
from bot.timer.unit import flaws, read_unit, span
from tests.support.settings import loaded, with_lines, written

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd's own checker is not here; .ci/run installs it"
)

PROGRAM = Path("/bin/true")


def service(folder: Path, *lines: str, table: str = "timer", manager: Manager = "system") -> str:
    settings = loaded(folder, with_lines(table, *lines))
    return planned(settings, PROGRAM, manager).units["plusone-harbour.service"]


@pytest.mark.parametrize(("manager", "most"), [("system", 3.5), ("user", 9.0)])
def test_the_checker_has_nothing_to_say_and_tells_the_exposure(tmp_path: Path, manager: Manager, most: float) -> None:
    found = verify(planned(loaded(tmp_path), PROGRAM, manager).units, manager)
    assert found.complaints == ()
    assert float(found.exposure.split()[0]) <= most


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Persistent=yes", "Persistant=yes", "Persistant"),
        ("OnCalendar=00/4:00:00", "OnCalendar=25:00", "25:00"),
        ("KillMode=mixed", "KillMode=gently", "gently"),
        ("ExecStart=/bin/true", "ExecStart=/bin/no-such-program", "no-such-program"),
    ],
)
def test_what_the_checker_says_is_a_complaint_whatever_its_status(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    units = planned(loaded(tmp_path), PROGRAM).units
    assert any(old in text for text in units.values())
    found = verify({name: text.replace(old, new, 1) for name, text in units.items()}, "system")
    assert any(said in line for line in found.complaints)


def test_without_the_checker_nothing_is_verified(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="is missing"):
        verify(planned(loaded(tmp_path), PROGRAM).units, "system", str(tmp_path / "systemd-analyze"))


def test_the_start_timeout_lies_above_a_cycles_own_deadline_at_its_worst(tmp_path: Path) -> None:
    settings = loaded(tmp_path, with_lines("budget", "minutes = 40"))
    limits = deadline(settings)
    assert limits.own == 2400 and limits.systemd >= limits.own + limits.overrun + 120
    assert limits.overrun >= 3 * settings.gate.seconds
    never = deadline(loaded(tmp_path, with_lines("page", 'pictures = "never"')))
    assert never.pictures == 0 and limits.systemd >= limits.own + limits.overrun + limits.pictures + 120
    assert limits.pictures >= 2 * (STARTING + MOST * (PAGE + SPARE))
    assert limits.visits["gate"] == 4 and limits.visits["commit"] == 1
    unit = tmp_path / "plusone-harbour.service"
    unit.write_text(planned(settings, PROGRAM).units[unit.name])
    assert list(flaws(read_unit(unit), limits.own)) == []
    assert span(read_unit(unit).last("Service", "TimeoutStartSec") or "") == limits.systemd


def test_a_busy_site_is_no_failure_and_the_key_is_handed_over(tmp_path: Path) -> None:
    text = service(tmp_path, 'api_key_file = "/etc/plusone/key"', table="credentials")
    assert "SuccessExitStatus=75\n" in text and "KillMode=mixed\n" in text and "NotifyAccess=main\n" in text
    assert "LoadCredential=anthropic-api-key:/etc/plusone/key\n" in text
    mine = service(tmp_path, 'api_key_file = "/etc/plusone/key"', table="credentials", manager="user")
    assert "LoadCredential" not in mine and "User=" not in mine and "ProtectSystem" not in mine


def test_bubblewrap_can_work_under_the_restrictions(tmp_path: Path) -> None:
    text = service(tmp_path)
    assert "SystemCallFilter=@system-service @mount sethostname\n" in text  # it names the machine inside
    assert "AF_NETLINK" in text and "RestrictNamespaces=user mnt pid net ipc uts cgroup\n" in text
    for harmful in ("ProtectKernelTunables", "PrivateUsers", "MemoryDenyWriteExecute", "ProtectHostname", "ProcSubset"):
        assert f"\n{harmful}=" not in text


def test_only_the_state_the_checkout_and_a_local_remote_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "the site").mkdir()
    text = service(tmp_path, 'checkout = "the site"', 'remote = "./remote.git"', table="site")
    assert f'ReadWritePaths="{tmp_path}/the site"\n' in text
    assert f"ReadWritePaths={tmp_path}/remote.git\n" in text
    assert "StateDirectory=plusone\n" in text
    assert f"ReadWritePaths={tmp_path}/www\n" in service(tmp_path, 'folder = "www"', table="page")
    own = service(tmp_path, 'dir = "records"', table="state")
    assert f"ReadWritePaths={tmp_path}/records\n" in own and "StateDirectory" not in own


def test_the_timer_catches_up_and_spreads(tmp_path: Path) -> None:
    settings = loaded(tmp_path, with_lines("timer", 'calendar = "Mon..Fri 04:30"', 'jitter = "1h30min"'))
    text = planned(settings, PROGRAM).units["plusone-harbour.timer"]
    for line in ("OnCalendar=Mon..Fri 04:30", "RandomizedDelaySec=5400s", "FixedRandomDelay=yes", "Persistent=yes"):
        assert f"\n{line}\n" in text


def test_a_path_with_blanks_specifiers_and_quotes_arrives_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "a %h 'b' $HOME \\ \"c\""
    folder.mkdir()
    plan = planned(load(written(folder)), PROGRAM)
    assert verify(plan.units, "system").complaints == ()
    unit = tmp_path / "x.service"
    unit.write_text(plan.units["plusone-harbour.service"])
    assert read_unit(unit).commands == (("/bin/true", "run", "--config", str(folder / "plusone.toml")),)


def test_what_a_unit_cannot_hold_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a unit cannot hold this path"):
        quoted(Path("/a\nExecStart=/bin/evil"))
    with pytest.raises(ConfigError, match="never runs as the administrator"):
        planned(loaded(tmp_path), PROGRAM, "system", "root")


def test_a_dollar_in_the_program_or_in_a_place_to_write_is_no_variable(tmp_path: Path) -> None:
    folder = tmp_path / "a$b c"
    program = folder / "plusone"
    folder.mkdir()
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    plan = planned(loaded(folder, with_lines("state", 'dir = "records"')), program)
    assert verify(plan.units, "system").complaints == ()
    assert f'ReadWritePaths="{folder}/records"\n' in plan.units["plusone-harbour.service"]
