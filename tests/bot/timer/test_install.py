"""Putting units in place and taking them away."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import CommandFailed, ConfigError
from bot.timer import planned
from bot.timer.install import carry_out, control, known_user, remove, switching_off, switching_on, write
from tests.support.settings import loaded

PROGRAM = Path("/bin/true")


def test_units_are_written_changed_and_removed(tmp_path: Path) -> None:
    units = tmp_path / "units"
    paths = write(planned(loaded(tmp_path), PROGRAM), units)
    assert sorted(path.name for path in units.iterdir()) == sorted(path.name for path in paths)
    again = planned(loaded(tmp_path), Path("/bin/false"))
    write(again, units)
    assert "ExecStart=/bin/false run" in (units / "plusone-harbour.service").read_text()
    (units / "plusone-harbour.timer").unlink()
    assert len(remove(again, units)) == 2
    assert list(units.iterdir()) == [] and remove(again, units) == ()


@pytest.mark.parametrize("link", [False, True])
def test_what_somebody_else_wrote_is_left_alone(tmp_path: Path, link: bool) -> None:
    plan, units = planned(loaded(tmp_path), PROGRAM), tmp_path / "units"
    units.mkdir()
    own = units / "plusone-harbour.service"
    if link:
        write(plan, tmp_path / "elsewhere")
        own.symlink_to(tmp_path / "elsewhere/plusone-harbour.service")
    else:
        own.write_text("[Service]\n")
    for act in (write, remove):
        with pytest.raises(ConfigError, match="was not written by `plusone timer install`"):
            act(plan, units)
    assert [path.name for path in units.iterdir()] == [own.name]


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be written"):
        write(planned(loaded(tmp_path), PROGRAM), tmp_path / "file")


def test_the_managers_commands_are_those_of_systemd(tmp_path: Path) -> None:
    mine = planned(loaded(tmp_path), PROGRAM, "user")
    assert [" ".join(one) for one in switching_on(mine)] == [
        "/usr/bin/systemctl --user daemon-reload",
        "/usr/bin/systemctl --user enable --now plusone-harbour.timer",
    ]
    (off,) = switching_off(planned(loaded(tmp_path), PROGRAM))
    assert off == ("/usr/bin/systemctl", "disable", "--now", "plusone-harbour.timer")


def test_a_command_that_fails_is_told_in_its_own_words() -> None:
    with pytest.raises(CommandFailed, match="systemctl --user daemon-reload exited 1: "):
        carry_out(control("user", "daemon-reload"), "/nowhere")


def test_a_user_that_does_not_exist_is_refused_with_the_command_that_makes_one() -> None:
    known_user("root")
    with pytest.raises(ConfigError, match=r"useradd --system .* no-such-user"):
        known_user("no-such-user")
