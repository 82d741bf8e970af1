"""The stage: a bare remote with one old commit, a checkout of it, and a configuration that is sound."""

from __future__ import annotations

import importlib.util
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.demo import Stage, stage
from bot.errors import ConfigError
from bot.settings import load
from tests.support import lights

STARTED = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)


def git(folder: Path, *arguments: str) -> str:
    command = ["/usr/bin/git", "-C", str(folder), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    return stage(tmp_path / "new" / "demo", sys.executable, STARTED)


def test_the_only_commit_is_older_than_the_quiet_period(made: Stage) -> None:
    assert git(made.remote, "rev-list", "--count", "main") == "1"
    committed = datetime.fromisoformat(git(made.remote, "log", "-1", "--format=%cI", "main"))
    assert STARTED - committed == timedelta(hours=26) > load(made.config).cycle.quiet_period


def test_a_young_commit_can_be_asked_for(tmp_path: Path) -> None:
    made = stage(tmp_path / "demo", sys.executable, STARTED, age=timedelta(minutes=5))
    committed = datetime.fromisoformat(git(made.remote, "log", "-1", "--format=%cI", "main"))
    assert committed == STARTED - timedelta(minutes=5)


def test_the_same_start_makes_the_same_commit(made: Stage, tmp_path: Path) -> None:
    again = stage(tmp_path / "again", sys.executable, STARTED)
    assert git(made.remote, "rev-parse", "main") == git(again.remote, "rev-parse", "main")


def test_the_remote_holds_the_template_and_nothing_else(made: Stage) -> None:
    held = set(git(made.remote, "ls-tree", "-r", "--name-only", "main").splitlines())
    files = [path for path in lights.TEMPLATE.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    assert held == {path.relative_to(lights.TEMPLATE).as_posix() for path in files}
    assert "plusone.toml" not in held


def test_the_checkout_is_clean_and_on_the_branch(made: Stage) -> None:
    assert git(made.checkout, "status", "--porcelain") == ""
    assert git(made.checkout, "symbolic-ref", "--short", "HEAD") == "main"
    assert git(made.checkout, "remote", "get-url", "origin") == str(made.remote)


def test_the_configuration_is_sound_and_points_at_the_stage(made: Stage) -> None:
    settings = load(made.config)
    assert Path(settings.remote) == made.remote and settings.checkout == made.checkout
    assert str(settings.python) == sys.executable
    assert settings.state_dir == made.config.parent / "state"
    assert {source.name for source in settings.sources} == {"articles", "projects"}
    assert {addition.kind for addition in settings.additions} == {"article", "project", "feature"}


def test_an_interpreter_with_a_quote_in_its_path_is_written_soundly(tmp_path: Path) -> None:
    made = stage(tmp_path / "demo", '/opt/it\'s "odd"\\lights/bin/python', STARTED)
    assert str(load(made.config).python) == '/opt/it\'s "odd"\\lights/bin/python'


def test_scratch_files_are_gone_afterwards(made: Stage) -> None:
    assert {path.name for path in made.config.parent.iterdir()} == {"remote.git", "checkout", "plusone.toml"}
    assert stat.S_ISDIR(made.remote.stat().st_mode)


def test_a_folder_that_holds_something_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(ConfigError, match="not an empty folder"):
        stage(tmp_path, sys.executable, STARTED)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_without_flask_babel_the_extra_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ConfigError, match=r"plusone\[demo\]"):
        stage(tmp_path / "demo", sys.executable, STARTED)
    assert not (tmp_path / "demo").exists()
