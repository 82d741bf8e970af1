"""What an operator and a timer see of what broke."""

from __future__ import annotations

import errno
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from bot.cli.reported import reported
from bot.errors import ConfigError, PlusoneError, Unreachable
from tests.support.settings import written


def ended(error: BaseException, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    with pytest.raises(typer.Exit) as caught, reported():
        raise error
    captured = capsys.readouterr()
    assert captured.out == ""
    return caught.value.exit_code, captured.err


@pytest.mark.parametrize(
    ("error", "status"), [(PlusoneError("so"), 1), (ConfigError("so"), 78), (Unreachable("so"), 69)]
)
def test_what_broke_is_one_line_and_its_own_status(
    error: PlusoneError, status: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ended(error, capsys) == (status, "plusone: so\n")


def test_control_characters_never_reach_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(ConfigError("a\x1b]0;b\x07\nc\u202e"), capsys) == (78, "plusone: a\\x1b]0;b\\x07 c\\u202e\n")


def test_an_interrupt_is_130(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(KeyboardInterrupt(), capsys) == (130, "plusone: interrupted\n")


def test_what_nobody_foresaw_is_named_by_its_type(capsys: pytest.CaptureFixture[str]) -> None:
    status, line = ended(ZeroDivisionError("by zero"), capsys)
    assert status == 1
    assert line.startswith("plusone: unforeseen ZeroDivisionError: by zero")
    assert line.count("\n") == 1


def test_an_output_that_takes_nothing_is_what_is_named() -> None:
    program = [str(Path(sys.prefix, "bin", "plusone")), "--version"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("plusone: standard output cannot be written (No space left on device)")
    assert done.stderr.count("\n") == 1


def test_debugging_shows_the_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUSONE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError), reported():
        raise ZeroDivisionError


def test_who_wants_to_know_hears_the_line_before_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    heard: list[str] = []
    with pytest.raises(typer.Exit), reported(heard.append):
        raise ConfigError("so")
    with reported(heard.append):
        pass
    assert heard == ["so"]


def test_a_reader_that_went_away_is_not_reported_as_a_fault() -> None:
    with pytest.raises(BrokenPipeError), reported():
        raise BrokenPipeError


def test_an_exit_passes_and_quiet_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as caught, reported():
        raise typer.Exit(3)
    with reported():
        pass
    assert caught.value.exit_code == 3
    assert capsys.readouterr().err == ""


def test_a_full_disk_is_foreseen(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(typer.Exit) as caught, reported():
        raise OSError(errno.ENOSPC, "No space left on device", "/state/x")
    assert caught.value.exit_code == 1
    assert capsys.readouterr().err.startswith("plusone: /state/x: No space left on device, the disk is full; ")


def test_what_cannot_be_written_to_standard_output_is_one_line_too(tmp_path: Path) -> None:
    program = [str(Path(sys.prefix, "bin", "plusone")), "config", "show", "--config", str(written(tmp_path))]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(program, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("plusone: ") and done.stderr.count("\n") == 1
