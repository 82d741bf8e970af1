"""No command loads the model's client before a model is about to be called, and none loads what it does not need."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from tests.support.commands import Fired, demo_stage, fired

CHILD = """
import json, sys
from bot.cli.main import main
sys.argv[0] = "plusone"
status = 0
try:
    main()
except SystemExit as end:
    status = end.code
roots = sorted({name.partition(".")[0] for name in sys.modules})
print("\\n" + json.dumps([status or 0, roots]), file=sys.stderr)
"""


def loaded(folder: Path, *arguments: str) -> tuple[int, set[str]]:
    """The exit status of a command in a fresh process, and the packages that it ended with."""
    command = [sys.executable, "-c", CHILD, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    status, roots = json.loads(done.stderr.splitlines()[-1])
    return status, set(roots)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Fired:
    return fired("committed", tmp_path_factory).copied(tmp_path_factory.mktemp("imports") / "site")


@pytest.mark.parametrize(
    "command",
    [
        "config check", "config show", "graph", "graph --check", "runs", "show last", "status", "pause", "resume",
        "ledger list", "ledger verify", "ledger rebuild",
    ],
)  # fmt: skip
def test_a_command_that_calls_no_model_never_loads_the_client(command: str, site: Fired) -> None:
    status, packages = loaded(site.folder, *command.split())
    assert status == 0
    assert packages & {"anthropic", "httpx2", "selectolax", "babel", "flask"} == set()


@pytest.mark.parametrize("command", ["--help", "--version"])
def test_help_loads_nothing_but_the_command_line(command: str, tmp_path: Path) -> None:
    status, packages = loaded(tmp_path, command)
    assert status == 0
    assert packages & {"anthropic", "pydantic", "httpx2", "git", "sqlite3", "yaml", "platformdirs"} == set()


def test_a_run_that_is_skipped_never_loads_the_client(tmp_path: Path) -> None:
    demo_stage(tmp_path / "site", timedelta(minutes=5))
    status, packages = loaded(tmp_path / "site", "run")
    assert status == 0 and (tmp_path / "site/state/harbour-lights/journal.db").exists()
    assert packages & {"anthropic", "httpx2", "selectolax", "babel", "flask", "jinja2", "genai_prices"} == set()
    assert not (tmp_path / "site/state/harbour-lights/pages").exists()


def test_a_run_that_the_configuration_refuses_never_loads_the_client(tmp_path: Path) -> None:
    status, packages = loaded(tmp_path, "run")
    assert status == 78
    assert packages & {"anthropic", "httpx2", "git"} == set()


def test_a_cycle_that_calls_a_model_does_load_it(tmp_path_factory: pytest.TempPathFactory, site: Fired) -> None:
    """Or the tests above would prove nothing."""
    status, packages = loaded(site.folder, "replay", str(site.report["cycle"]))
    assert status == 0 and "anthropic" in packages
