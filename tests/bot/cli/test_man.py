"""The manual page holds every command that is not hidden, and a formatter reads it without complaint."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from typer.main import get_command

from bot.cli.main import app
from tests.support.commands import plusone


def test_every_command_stands_in_it_with_its_options() -> None:
    page = plusone("man").out.replace("\\-", "-")
    commands = getattr(get_command(app), "commands", {})
    for name, command in commands.items():
        inner = getattr(command, "commands", {"": command})
        for word, one in inner.items():
            assert (f"\nplusone {name} {word}".rstrip() + "\n" in page) is not one.hidden, (name, word)
    assert "\n.B --dry-run\n" in page and "\n.B CYCLE\n" in page
    assert page.startswith(".TH PLUSONE 1")


def test_a_formatter_has_nothing_to_say() -> None:
    groff = shutil.which("groff") or shutil.which("man")
    if groff is None or not groff.endswith("groff"):
        pytest.skip("groff is not installed")
    done = subprocess.run([groff, "-man", "-Tutf8", "-ww"], input=plusone("man").out, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
