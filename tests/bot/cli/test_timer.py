"""`plusone timer`, on a machine with systemd's tools and without a running systemd."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.commands import complaint, plusone
from tests.support.drilled import drilled, result
from tests.support.settings import with_lines, written

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd's own checker is not here; .ci/run installs it"
)


@pytest.fixture
def config(tmp_path: Path) -> Path:
    return written(tmp_path)


@pytest.fixture
def state(tmp_path: Path, config: Path) -> Path:
    """A state folder with a drill on record in which all was stopped."""
    drilled(config, tmp_path / "state")
    return tmp_path / "state"


def test_print_shows_three_units_and_writes_nothing(config: Path, tmp_path: Path) -> None:
    done = plusone("timer", "install", "--print", "--system-units", "--config", config)
    assert done.status == 0 and done.out.count("# Written by `plusone timer install`") == 3
    assert "User=plusone\n" in done.out
    assert (
        "User=keeper\n"
        in plusone("timer", "install", "--print", "--system-units", "--user", "keeper", "--config", config).out
    )
    assert [path.name for path in tmp_path.iterdir()] == ["plusone.toml"]


def test_install_and_uninstall_into_a_folder(config: Path, state: Path, tmp_path: Path) -> None:
    units = tmp_path / "units"
    done = plusone("timer", "install", "--into", units, "--config", config, "--state", state)
    assert done.status == 0 and done.out == "" and done.err.count("wrote ") == 3
    assert len(list(units.iterdir())) == 3
    done = plusone("timer", "uninstall", "--into", units, "--config", config)
    assert done.err.count("removed ") == 3 and list(units.iterdir()) == []


@pytest.mark.skipif(Path("/run/systemd/system").exists(), reason="systemd runs here, so units would be installed")
def test_without_a_running_systemd_a_line_for_cron_is_printed(config: Path, state: Path) -> None:
    done = plusone("timer", "install", "--config", config, "--state", state)
    assert done.status == 0 and " run --config " in done.out.splitlines()[-1]
    assert done.err == "put this line into a crontab: crontab -e\n"


def test_verify_tells_the_exposure_of_what_would_be_installed(config: Path) -> None:
    done = plusone("timer", "verify", "--system-units", "--config", config)
    assert done.status == 0, done
    assert "not installed; as they would be): exposure 3.2 OK" in done.out
    told = plusone("timer", "verify", "--system-units", "--config", config, "--json").object
    assert (told["installed"], told["stale"], told["complaints"], told["exposure"]) == (False, False, [], "3.2 OK")


def test_verify_compares_what_is_installed_with_the_configuration(
    config: Path, state: Path, sealed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(sealed / "settings"))
    units = sealed / "settings/systemd/user"
    plusone("timer", "install", "--user-units", "--into", units, "--config", config, "--state", state)
    assert plusone("timer", "verify", "--user-units", "--config", config).status == 0
    config.write_text(with_lines("timer", 'jitter = "1min"'))
    done = plusone("timer", "verify", "--user-units", "--config", config)
    assert done.status == 1 and "are not those of this configuration" in done.err
    (units / "plusone-harbour.timer").write_text("[Timer]\nOnCalender=daily\n")
    done = plusone("timer", "verify", "--user-units", "--config", config)
    assert done.status == 1 and "OnCalender" in done.err


def test_the_failure_unit_has_its_command(config: Path, tmp_path: Path) -> None:
    done = plusone("timer", "failed", "--config", config, "--state", tmp_path / "state")
    assert (done.status, done.out, done.err) == (0, "", "")


def test_a_calendar_that_cron_cannot_say_is_refused(config: Path, state: Path) -> None:
    config.write_text(with_lines("timer", 'calendar = "monthly"'))
    done = plusone("timer", "install", "--cron", "--config", config, "--state", state)
    assert "cannot be said in cron" in complaint(done, 78)


@pytest.mark.parametrize("how", [["--cron"], ["--into", "units"], []])
def test_no_timer_is_installed_before_a_drill_in_which_all_was_stopped(
    config: Path, tmp_path: Path, how: list[str]
) -> None:
    asked = ["timer", "install", *how, "--config", str(config), "--state", str(tmp_path / "state")]
    assert "run `plusone drill` first" in complaint(plusone(*asked), 78)
    drilled(config, tmp_path / "state", result("adds-two", "stopped"), result("forges", "survived"))
    assert "(forges)" in complaint(plusone(*asked), 78)
    assert not (tmp_path / "units").exists() and not Path("units").exists()


def test_a_survivor_that_is_accepted_by_name_holds_nothing_back(config: Path, tmp_path: Path) -> None:
    state, units = tmp_path / "state", tmp_path / "units"
    drilled(config, state, result("forges", "survived"))
    asked = ["timer", "install", "--into", str(units), "--config", str(config), "--state", str(state)]
    assert plusone(*asked, "--i-accept-the-survivors", "forges").status == 0
    assert len(list(units.iterdir())) == 3
