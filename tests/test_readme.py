"""What the documents quote exists, and the README's picture is the one that the command draws."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from bot.cli.main import app
from bot.cycle import cycle
from bot.draw import draw

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
_FENCE = re.compile(r"```sh\n(.*?)```", re.DOTALL)
_QUOTED = re.compile(r"`(plusone [^`]+)`")


def quoted(text: str) -> Iterator[str]:
    """Each `plusone` command of a page: in a shell block, or between backticks."""
    yield from _QUOTED.findall(text)
    for block in _FENCE.findall(text):
        for line in block.splitlines():
            command = line.split("#")[0].strip()
            if command.startswith("plusone "):
                yield command


def unknown(command: str) -> str:
    """The first word of a command that the program does not know; empty where it knows all."""
    here: object = get_command(app)
    for word in shlex.split(command)[1:]:
        inner = getattr(here, "commands", None)
        if word.startswith("-"):
            options = {name for one in getattr(here, "params", ()) for name in one.opts} | {"--help"}
            if word.split("=")[0] not in options:
                return word
        elif inner is not None:
            names = word.split("|")
            if not set(names) <= set(inner):
                return word
            here = inner[names[0]]
    return ""


def test_the_picture_is_the_one_that_the_command_draws() -> None:
    found = re.search(r"<!-- graph[^>]*-->\n```mermaid\n(.*?)```\n<!-- /graph -->", README, re.DOTALL)
    assert found, "README.md has lost its marks"
    assert found[1] == draw(cycle(3), "mermaid"), "make it again: plusone graph --format mermaid"


def test_the_first_two_commands_are_the_demo_and_the_tests() -> None:
    commands = [line.split("#")[0].strip() for block in _FENCE.findall(README) for line in block.splitlines()]
    assert commands[:2] == ["make demo", "make test"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_command_that_is_quoted_exists(page: Path) -> None:
    commands = list(quoted(page.read_text(encoding="utf-8")))
    assert {command: unknown(command) for command in commands if unknown(command)} == {}


def test_the_readme_quotes_commands_at_all_and_an_unknown_one_is_seen() -> None:
    assert len(list(quoted(README))) > 6
    assert unknown("plusone ledger list|verify") == "" and unknown("plusone show CYCLE --diff") == ""
    assert (unknown("plusone fly"), unknown("plusone run --fast"), unknown("plusone config fly")) == (
        "fly",
        "--fast",
        "fly",
    )


@pytest.mark.parametrize("target", ["demo", "test", "lint", "sites", "bench"])
def test_every_target_of_make_that_is_quoted_exists(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)


def test_files_that_the_readme_names_are_there() -> None:
    named = re.findall(r"`((?:docs|deploy)/[^`]*)`", README)
    assert named and [name for name in named if not (ROOT / name).exists()] == []
