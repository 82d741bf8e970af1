"""Every command is found by its name, in the order of the help, and only the one that is asked for is loaded."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from typer.core import TyperCommand, TyperGroup

from bot.cli.commands import HIDDEN, PLACES, Commands
from tests.support.commands import plusone

LOADED = """
import sys
from bot.cli.main import main
sys.argv = ["plusone", *sys.argv[1:]]
try:
    main()
except SystemExit:
    pass
print(*sorted(name for name in sys.modules if name.startswith("bot.cli.")), file=sys.stderr)
"""
SHARED = {"main", "commands", "options", "output", "reported"}


def loaded(folder: Path, *words: str) -> set[str]:
    """The modules of the command line that a command ends with, in a process of its own."""
    asked = [sys.executable, "-c", LOADED, *words]
    done = subprocess.run(asked, cwd=folder, capture_output=True, text=True, timeout=60, check=True)
    return {name.removeprefix("bot.cli.") for name in done.stderr.splitlines()[-1].split()}


@pytest.mark.parametrize("name", PLACES)
def test_every_name_leads_to_its_command(name: str) -> None:
    command = Commands(PLACES)[name]
    assert isinstance(command, TyperCommand | TyperGroup) and command.name == name
    assert command.hidden is (name in HIDDEN)
    assert isinstance(command, TyperGroup) is PLACES[name].endswith(":app")


def test_an_unknown_name_is_no_command_and_the_nearest_is_named() -> None:
    commands = Commands(PLACES)
    assert "rum" not in commands and commands.get("rum") is None
    told = plusone("rum")
    assert told.status == 2 and "Did you mean 'run'" in " ".join(told.err.split())


def test_the_help_lists_all_that_is_not_hidden_in_the_tables_order() -> None:
    told = [line.split()[1] for line in plusone("--help").out.splitlines() if line.startswith("│ ") and line[2] != " "]
    assert [word for word in told if word in PLACES] == [name for name in PLACES if name not in HIDDEN]


def test_a_command_loads_no_other_command(tmp_path: Path) -> None:
    assert loaded(tmp_path, "pause", "--help") == {"main", "commands", "options", "reported", "steer"}
    assert loaded(tmp_path, "run") - SHARED == {"run", "progress", "afterwards"}


def test_a_command_is_made_once() -> None:
    commands = Commands(PLACES)
    assert commands["run"] is commands["run"] and len(commands) == len(PLACES)


def test_every_module_of_the_command_line_that_is_a_command_has_a_name() -> None:
    named = {place.partition(":")[0].rpartition(".")[2] for place in PLACES.values()}
    folder = Path(__file__).parents[3] / "bot" / "cli"
    rest = {path.stem for path in folder.glob("*.py")} - named
    assert rest == SHARED | {"__init__", "afterwards", "opened", "progress"}
