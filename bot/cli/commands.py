"""The commands by name: each is imported and made when it is asked for, since a firing needs one of them."""

from __future__ import annotations

from collections import UserDict
from collections.abc import Callable
from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command, get_group

PLACES = {
    "init": "bot.cli.init:init",
    "doctor": "bot.cli.doctor:doctor",
    "drill": "bot.cli.drill:drill",
    "run": "bot.cli.run:run",
    "demo": "bot.cli.demo:demo",
    "status": "bot.cli.look:status",
    "runs": "bot.cli.look:runs",
    "show": "bot.cli.look:show",
    "replay": "bot.cli.replay:replay",
    "gate": "bot.cli.gate:gate",
    "graph": "bot.cli.graph:graph",
    "serve": "bot.cli.serve:serve",
    "pause": "bot.cli.steer:pause",
    "resume": "bot.cli.steer:resume",
    "approve": "bot.cli.answer:approve",
    "reject": "bot.cli.answer:reject",
    "revert": "bot.cli.revert:revert",
    "man": "bot.cli.man:man",
    "config": "bot.cli.config:app",
    "ledger": "bot.cli.ledger:app",
    "rescue": "bot.cli.rescue:app",
    "timer": "bot.cli.timer:app",
}
HIDDEN = frozenset({"man"})


class Commands(UserDict[str, Any]):
    """From a command's name to the command, in the order of the help."""

    def __getitem__(self, name: str) -> Any:
        found = self.data[name]
        if isinstance(found, str):
            found = self.data[name] = made(name, found)
        return found


class Everything(TyperGroup):
    """The group of all commands."""

    def __init__(self, **told: Any) -> None:
        super().__init__(**told)
        self.commands = Commands(PLACES)


def made(name: str, place: str) -> TyperCommand | TyperGroup:
    """The command that the function or the group at `module:attribute` is."""
    module, _, attribute = place.partition(":")
    found = getattr(import_module(module), attribute)
    command = get_group(found) if isinstance(found, typer.Typer) else _alone(name, found)
    command.name = name
    return command


def _alone(name: str, function: Callable[..., None]) -> TyperCommand:
    app = typer.Typer(add_completion=False)
    app.command(name, hidden=name in HIDDEN)(function)
    command = get_command(app)
    assert isinstance(command, TyperCommand)
    return command
