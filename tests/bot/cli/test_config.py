"""`plusone config`: what it prints, and where."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.config import app
from tests.support.settings import SOUND, with_lines, written


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, list(arguments))


def test_a_sound_file_is_one_line(tmp_path: Path) -> None:
    result = run("check", "--config", str(written(tmp_path)))
    assert (result.exit_code, result.stdout, result.stderr) == (0, "plusone.toml is sound\n", "")


def test_a_file_that_is_not_sound_is_one_line_on_standard_error_and_78(tmp_path: Path) -> None:
    path = written(tmp_path, with_lines("cycle", 'quiet_perod = "3h"'))
    for command in ("check", "show"):
        result = run(command, "--config", str(path))
        assert (result.exit_code, result.stdout) == (78, "")
        assert result.stderr == f'plusone: {path}: cycle.quiet_perod: unknown key; did you mean "quiet_period"?\n'


def test_what_is_shown_holds_the_defaults_and_is_a_configuration_itself(tmp_path: Path) -> None:
    result = run("show", "--config", str(written(tmp_path)))
    shown = tomllib.loads(result.stdout)
    assert shown["cycle"]["quiet_period"] == "3h"
    assert shown["site"]["name"] == "harbour"
    (tmp_path / "again").mkdir()
    again = run("show", "--config", str(written(tmp_path / "again", result.stdout)))
    assert again.stdout == result.stdout


def test_json_is_one_object_and_nothing_else(tmp_path: Path) -> None:
    result = run("show", "--json", "--config", str(written(tmp_path, SOUND)))
    shown = json.loads(result.stdout)
    assert shown["schema_version"] == 1
    assert shown["settings"]["addition"] == [{"kind": "article", "adds": {"articles": 1}}]
    assert len(shown["digest"]) == 64


def test_the_file_in_the_current_folder_is_the_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("check")
    assert result.exit_code == 78
    assert "plusone.toml: no such file" in result.stderr
