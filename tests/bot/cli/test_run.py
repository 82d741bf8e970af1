"""`plusone run`: one object, one line, one exit status, however it ends."""

from __future__ import annotations

import fcntl
import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from bot import __version__
from tests.support.commands import Fired, complaint, demo_stage, fired, plusone, started

NUMBER = (int, float)
SHAPE: dict[str, type | tuple[type, ...]] = {
    "schema_version": int, "cycle": str, "outcome": str, "stage": str, "reason": str, "stopped_by": str,
    "dry_run": bool, "objections": list, "base": (str, type(None)), "tree": (str, type(None)),
    "commit": (str, type(None)), "path": list, "repairs": int, "model_calls": int, "tokens": dict,
    "usd": (*NUMBER, type(None)), "seconds": NUMBER,
}  # fmt: skip
OUTCOMES = ("committed", "reverted", "skipped", "waiting", "failed")
OBJECTION = {"code", "node", "where", "subject", "what", "seen", "accept"}
TOKENS = {"input", "output", "cache_read", "cache_write"}


def misshapen(report: dict[str, object]) -> list[str]:
    """Where the object is not as DESIGN §8 has it."""
    found = [name for name, kind in SHAPE.items() if not isinstance(report.get(name), kind)]
    found += sorted(set(report) - set(SHAPE))
    tokens, objections, path = report["tokens"], report["objections"], report["path"]
    assert isinstance(tokens, dict) and isinstance(objections, list) and isinstance(path, list)
    if set(tokens) != TOKENS or not all(type(count) is int for count in tokens.values()):
        found.append("tokens")
    if not all(set(one) == OBJECTION and all(type(text) is str for text in one.values()) for one in objections):
        found.append("objections")
    return found + ([] if report["outcome"] in OUTCOMES else ["outcome"])


@pytest.mark.parametrize("kind", ["committed", "gate-repaired", "declined", "not-converged", "dry-run", "lost-race"])
def test_the_object_has_its_shape_however_the_cycle_ended(kind: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    report = fired(kind, tmp_path_factory).report
    assert misshapen(report) == []
    assert report["dry_run"] is (kind == "dry-run")
    assert report["path"] and report["base"]


def test_the_shape_is_really_looked_at(tmp_path_factory: pytest.TempPathFactory) -> None:
    report = fired("not-converged", tmp_path_factory).report
    assert misshapen({**report, "usd": "0", "more": 1, "tokens": {}}) == ["usd", "more", "tokens"]
    assert isinstance(report["objections"], list) and report["objections"]


@pytest.fixture
def young(tmp_path: Path) -> Fired:
    """A site whose next cycle is held back."""
    demo_stage(tmp_path / "site", timedelta(minutes=5))
    return Fired(tmp_path / "site")


def test_a_skipped_cycle_is_one_line_on_standard_output(young: Fired) -> None:
    done = plusone("run", "--config", young.config)
    assert (done.status, done.err, done.out.count("\n")) == (0, "", 1)
    assert done.out.startswith("skipped: the branch last moved at ")


def test_a_branch_that_is_known_to_be_young_is_not_asked_for_again(young: Fired) -> None:
    first = plusone("run", "--config", young.config)
    (young.folder / "remote.git").rename(young.folder / "away.git")
    again = plusone("run", "--config", young.config)
    assert again.status == 0 and again.out.split(";")[0] == first.out.split(";")[0]


def test_a_branch_that_was_young_is_asked_for_when_its_time_is_over(young: Fired) -> None:
    plusone("run", "--config", young.config)
    young.config.write_text(young.config.read_text().replace('quiet_period = "3h"', 'quiet_period = "0s"'))
    (young.folder / "remote.git").rename(young.folder / "away.git")
    assert plusone("run", "--config", young.config).status == 69


def test_the_installed_program_says_the_same_as_one_object(young: Fired) -> None:
    done = started("run", "--json", cwd=young.folder, NO_COLOR="1")
    assert (done.status, done.err, misshapen(done.object)) == (0, "", [])
    assert (done.object["outcome"], done.object["stage"]) == ("skipped", "precheck")
    assert (young.folder / "state" / "harbour-lights" / "journal.db").exists()


def test_no_connection_is_left_for_the_end_of_the_process_to_close(young: Fired) -> None:
    program = [sys.executable, "-X", "dev", "-W", "error::ResourceWarning", str(Path(sys.prefix, "bin", "plusone"))]
    done = subprocess.run(
        [*program, "run", "--dry-run"], cwd=young.folder, capture_output=True, text=True, timeout=100, check=False
    )
    assert (done.returncode, done.stderr) == (0, "") and done.stdout.startswith("skipped: ")


def test_what_breaks_before_the_cycle_has_a_row_is_told_with_its_name_and_its_status(young: Fired) -> None:
    young.config.write_text(young.config.read_text() + '\n[notify]\nwebhook = "https:///no-host"\n')
    done = plusone("run", "--config", young.config, "--json")
    assert "notify.webhook: must be an http or https address" in complaint(done, 78)
    assert misshapen(done.object) == []
    assert (done.object["outcome"], done.object["stage"]) == ("failed", "set-up")
    assert done.object["cycle"] and str(done.object["reason"]).startswith("notify.webhook: ")


def test_state_goes_where_it_is_told(young: Fired, tmp_path: Path) -> None:
    assert plusone("run", "--config", young.config, "--state", tmp_path / "elsewhere").status == 0
    assert (tmp_path / "elsewhere" / "harbour-lights" / "journal.db").exists()
    assert not (young.folder / "state").exists()


def test_a_held_lock_is_75_and_leaves_no_row(young: Fired) -> None:
    assert plusone("run", "--config", young.config).status == 0
    with (young.state / "lock").open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = plusone("run", "--config", young.config, "--json")
    complaint(done, 75)
    assert misshapen(done.object) == []
    assert (done.object["outcome"], done.object["stage"], done.object["path"]) == ("skipped", "lock", [])
    runs = plusone("runs", "--config", young.config, "--json").object["runs"]
    assert isinstance(runs, list) and len(runs) == 1


def test_what_breaks_in_a_cycle_is_recorded_told_once_and_has_its_own_status(young: Fired) -> None:
    (young.folder / "remote.git").rename(young.folder / "moved.git")
    done = plusone("run", "--config", young.config, "--json")
    assert "remote.git" in complaint(done, 69)
    assert misshapen(done.object) == []
    assert (done.object["outcome"], done.object["path"]) == ("failed", ["precheck"])
    shown = plusone("show", "last", "--config", young.config, "--json").object
    assert (shown["cycle"], shown["reason"]) == (done.object["cycle"], done.object["reason"])


@pytest.mark.parametrize(
    ("arguments", "status", "says"),
    [
        (("--config", "missing.toml"), 78, "missing.toml: no such file"),
        (("--model", "script:missing.json"), 78, "missing.json: cannot be read"),
        (("--model", "oracle"), 78, "write anthropic, script:FILE or recording:FILE"),
    ],
)
def test_what_breaks_before_a_cycle_is_one_object_too(
    arguments: tuple[str, ...], status: int, says: str, young: Fired, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(young.folder)
    done = plusone("run", "--json", *arguments)
    assert says in complaint(done, status)
    assert misshapen(done.object) == []
    assert (done.object["outcome"], done.object["stage"], done.object["cycle"]) == ("failed", "set-up", "")
    assert not (young.folder / "state").exists()


def test_what_nobody_foresaw_is_one_object_too(young: Fired, monkeypatch: pytest.MonkeyPatch) -> None:
    def fire(_: object) -> None:
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr("bot.firing.start.fire", fire)
    done = plusone("run", "--json", "--config", young.config)
    assert (done.status, done.object["outcome"]) == (1, "failed")
    assert done.err == "plusone: unforeseen ZeroDivisionError: by zero; PLUSONE_DEBUG=1 shows where\n"


def test_wrong_usage_is_2_and_says_nothing_on_standard_output(young: Fired) -> None:
    for arguments in (["run", "--fast"], ["fly"], ["show"], ["runs", "--limit", "0"], ["graph", "--format", "png"]):
        done = plusone(*arguments)
        assert (done.status, done.out) == (2, "")
        assert done.err


def test_no_sandbox_is_refused_with_the_command_that_mends_it(young: Fired, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.sandbox.SYSTEM", "/nowhere/bwrap")
    monkeypatch.setattr("bot.sandbox.find_spec", lambda _: None)
    text = young.config.read_text()
    young.config.write_text(text.replace('quiet_period = "3h"', 'quiet_period = "0s"'))
    done = plusone("run", "--config", young.config, "--json", "--model", _script(young.folder))
    assert "apt-get install bubblewrap" in complaint(done, 78)
    assert (done.object["outcome"], misshapen(done.object)) == ("failed", [])


def _script(folder: Path) -> str:
    path = folder / "script.json"
    path.write_text(json.dumps({"build": [], "validate": [], "fix": []}))
    return f"script:{path}"


def test_the_module_is_the_same_program(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bot.cli.main", "--version"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == f"plusone {__version__}\n"
