"""The whole examination of a real site, and each thing that can be amiss with it."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from bot.agents.models import choose
from bot.compose import Shop
from bot.doctor import Check, as_table, examine
from bot.doctor.check import Look, taken
from bot.doctor.machine import clock, disk, models, notices, page, state
from bot.doctor.site import newer
from bot.doctor.timers import Firing, unreachable
from bot.errors import ConfigError
from bot.machine.clock import SystemClock
from bot.machine.environment import Environment
from bot.machine.lock import held
from bot.model import Trigger
from bot.operation.examined import kept
from bot.pictures import Browser
from bot.timer.schedulers import Machine
from tests.support.commands import complaint, plusone
from tests.support.firing import Place, place, warmed
from tests.support.repository import BOT as _SOMEBODY
from tests.support.repository import git


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return warmed(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def here(tmp_path: Path, cache: Path) -> Place:
    made = place(tmp_path, cache)
    made.state.root.chmod(0o700)
    return made


def shop(here: Place) -> Shop:
    trigger = Trigger("doctor", "2026-11-30T04:00:00+00:00", True, "doctor")
    return Shop(here.settings, here.state, here.environment, trigger, choose("anthropic"))


def found(here: Place) -> dict[str, Check]:
    machine = Machine(here.folder / "no-root", here.folder / "no-home")
    firing = Firing(here.settings, machine, "keeper", SystemClock().now(), unreachable)
    return {one.name: one for one in examine(shop(here), firing)}


def level(here: Place) -> dict[str, str]:
    return {name: one.level for name, one in found(here).items()}


def test_a_good_site_has_no_failure_and_every_part_was_looked_at(here: Place) -> None:
    with here.unmoved():
        checks = found(here)
    levels = {name: one.level for name, one in checks.items()}
    assert "failure" not in levels.values()
    warned = {name for name, one in levels.items() if one == "warning"}
    assert warned <= {"clock", "routes", "timer", "notify", "page", "drill"}
    assert list(levels) == [
        *(
            "configuration",
            "state",
            "disk",
            "clock",
            "key",
            "models",
            "notify",
            "page",
            "sandbox",
            "interpreter",
            "remote",
            "push",
        ),
        *("boot", "registries", "lint", "catalogue", "routes", "ledger", "drill", "timer", "schedulers"),
    ]
    assert checks["registries"].seen == "articles 12, projects 8"
    assert "Flask" in checks["interpreter"].seen and "verified" in checks["routes"].seen


def test_a_base_that_does_not_boot_is_told_with_flasks_own_command(here: Place) -> None:
    here.human({"src/lights/app.py": b"raise RuntimeError('the lamp is out')\n"})
    checks = found(here)
    assert checks["boot"].level == "failure" and "the lamp is out" in checks["boot"].seen
    assert checks["boot"].mend.endswith("-m flask --app lights.app:create_app routes")
    assert checks["routes"] == Check("routes", "warning", "not looked at: mend boot first")
    assert checks["ledger"].level == "ok"


def test_an_interpreter_without_flask_is_told_what_to_install(here: Place, tmp_path: Path) -> None:
    text = here.made.config.read_text()
    python = next(line for line in text.splitlines() if line.startswith("python = "))
    here.edit((python, 'python = "/usr/bin/python3"'))
    checks = found(here)
    if checks["interpreter"].level == "ok":
        pytest.skip("the system's own Python has Flask")
    assert checks["interpreter"].level == "failure" and checks["interpreter"].mend.endswith("-m pip install flask")
    assert checks["boot"].level == "warning"


def test_a_site_on_a_python_that_may_know_more_syntax_is_known_by_its_version() -> None:
    major, minor = sys.version_info[:2]
    assert newer(f"{major}.{minor + 1}.0rc1") and newer(f"{major + 1}.0.0")
    assert not any(map(newer, (f"{major}.{minor}.99", f"{major}.{minor - 1}.0", "3.9.18")))


def test_a_remote_that_is_away_is_told_and_what_needs_it_is_left_out(here: Place) -> None:
    here.made.remote.rename(here.folder / "moved.git")
    checks = level(here)
    assert checks["remote"] == "failure"
    assert {checks[name] for name in ("push", "boot", "routes", "ledger")} == {"warning"}
    assert checks["sandbox"] == checks["interpreter"] == "ok"


def test_a_remote_that_takes_no_push_is_found_by_asking_dry(here: Place) -> None:
    """A lease on a tip that moves away between the fetch and the offer is refused; nothing was sent before."""
    it = shop(here)
    here.state.create()
    base = it.store.fetch("main")
    oid = it.store.commit(it.store.tree_of(base), base, "Mine\n", _SOMEBODY)
    tip = here.human({"README.md": b"moved\n"})
    with pytest.raises(Exception, match="stale info"):
        it.store.try_push(oid, "main", base)
    it.store.try_push(it.store.commit(it.store.tree_of(base), it.store.fetch("main"), "Mine\n", _SOMEBODY), "main", tip)
    assert here.tip == tip and git(here.made.remote, "cat-file", "-t", tip) == "commit"


def test_a_ledger_that_parts_from_the_history_is_told_the_command(here: Place) -> None:
    here.human({"README.md": b"to be rewritten\n"})
    it = shop(here)
    here.state.create()
    tip = it.store.fetch("main")
    it.ledger.rebuild(it.history(tip), tip)
    git(here.made.remote, "update-ref", "refs/heads/main", git(here.made.remote, "rev-list", "--max-parents=0", "main"))
    one = found(here)["ledger"]
    assert (one.level, one.mend) == ("failure", "plusone ledger rebuild")


def test_a_damaged_ledger_is_a_failure(here: Place) -> None:
    here.state.create()
    here.state.ledger.write_bytes(b"not a database at all, and long enough to be taken for one" * 20)
    assert level(here)["ledger"] == "failure"


def test_while_a_cycle_runs_the_site_is_left_alone(here: Place) -> None:
    here.state.create()
    with held(here.state.lock):
        checks = found(here)
    assert checks["site"].level == "warning" and "another cycle" in checks["site"].seen
    assert "sandbox" not in checks and checks["key"].level == "ok"


def test_a_key_that_is_missing_is_a_failure(here: Place) -> None:
    here.environment = Environment(state=here.environment.state)
    assert level(here)["key"] == "failure"


def test_a_model_without_a_price_cannot_be_held_to_a_cap(here: Place) -> None:
    here.edit(("[budget]", '[models]\nbuild = "claude-unheard-of-9"\n[budget]'))
    one = models(shop(here))
    assert one.level == "failure" and one.mend.startswith('[models.prices] "claude-unheard-of-9"')
    here.edit(("[budget]", '[models.prices]\n"claude-unheard-of-9" = { input = 1.0, output = 2.0 }\n[budget]'))
    assert models(shop(here)).level == "ok"


def test_notices_that_nobody_gets_are_told(here: Place) -> None:
    assert notices(shop(here)).level == "warning"
    text = here.made.config.read_text()
    here.made.config.write_text(f'{text}\n[notify]\nwebhook = "https://example.org/x"\n')
    assert notices(shop(here)).level == "ok"
    here.state.create()
    shop(here).journal.set_note("undelivered-webhook", "2026-11-30T04:00+00:00: example.org: answered 500")
    assert "webhook did not get through" in notices(shop(here)).seen
    here.made.config.write_text(f'{text}\n[notify]\nwebhook = "example.org"\n')
    assert level(here)["notify"] == "failure"


def test_a_state_folder_of_somebody_else_stops_the_examination_of_the_site(here: Place) -> None:
    here.state.create()
    if os.geteuid() != 0:
        pytest.skip("only the administrator can give a folder away")
    os.chown(here.state.root, 61501, 61501)
    checks = found(here)
    assert checks["state"].level == "failure" and checks["state"].mend == "sudo -u #61501 plusone doctor"
    assert checks["site"].seen == "not looked at: mend state first"


def test_a_state_folder_that_is_open_to_others_is_told(tmp_path: Path) -> None:
    assert state(tmp_path / "not" / "yet").level == "ok"
    tmp_path.chmod(0o755)
    assert state(tmp_path).mend == f"chmod 700 {tmp_path}"


def test_clock_and_disk_say_what_they_see(tmp_path: Path) -> None:
    assert [clock(right).level for right in (True, False, None)] == ["ok", "warning", "warning"]
    assert "GiB free" in disk(tmp_path / "not" / "yet").seen


def test_the_page_tells_what_takes_its_pictures_or_what_was_in_its_way() -> None:
    chromium, trouble = Browser("/usr/bin/chromium", ()), {"files": "2026-11-30T04:00: no room"}
    assert page("auto", chromium, {}).seen == "pictures by /usr/bin/chromium"
    assert (page("auto", None, {}).level, page("never", None, {}).level) == ("warning", "ok")
    assert page("never", None, trouble) == Check(
        "page",
        "warning",
        "its files could not be made, 2026-11-30T04:00: no room",
        "page.folder, or what is named there",
    )


def test_what_needs_a_failed_look_is_not_taken() -> None:
    def broken() -> Check:
        raise ConfigError("so\x1b")

    def never() -> Check:
        raise AssertionError

    found = list(taken([Look("a", broken, "mend it"), Look("b", never, needs=("a",)), Look("c", never, needs=("b",))]))
    assert found[0] == Check("a", "failure", "so\\x1b", "mend it")
    assert [(one.level, one.seen) for one in found[1:]] == [
        ("warning", "not looked at: mend a first"),
        ("warning", "not looked at: mend b first"),
    ]


def test_the_table_counts_levels() -> None:
    table = as_table([Check("a", "ok", ""), Check("b", "failure", "", "x")], "harbour")
    assert (table["ok"], table["warning"], table["failure"], table["schema_version"]) == (1, 0, 1, 1)


def test_the_command_prints_one_object_and_its_exit_status_tells(here: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    done = plusone("doctor", "--config", here.made.config, "--json")
    assert done.status == 1 and done.object["failure"] == 1 and done.object["site"] == "harbour-lights"
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-none")
    done = plusone("doctor", "--config", here.made.config)
    assert done.status == 0
    assert "ok      boot: lights.app:create_app loads: 17 URL rules\n" in done.out
    assert json.dumps(done.out).count("FAILURE") == 0
    told = kept(here.state.examined)
    assert told and told["failure"] == 0 and str(told["when"]).startswith("20")


def test_without_a_configuration_there_is_nothing_to_look_over(tmp_path: Path) -> None:
    assert "no such file" in complaint(plusone("doctor", "--config", tmp_path / "no.toml"), 78)


@pytest.mark.parametrize("content", [b"", b"no database"])
def test_a_damaged_journal_is_told_once_with_what_mends_it_and_nothing_else_is_blamed(
    here: Place, content: bytes
) -> None:
    here.state.journal.write_bytes(content)
    seen = found(here)
    assert [name for name, one in seen.items() if one.level == "failure"] == ["state"]
    assert str(here.state.journal) in seen["state"].seen and seen["state"].mend.startswith("mv ")
    assert (seen["page"].seen, seen["site"].seen) == ("not looked at: mend state first",) * 2
    assert here.state.journal.read_bytes() == content
