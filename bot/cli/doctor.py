"""`plusone doctor`: is everything there that a cycle needs?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bot.cli.options import CONFIG, Config, Json, State, folders
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.doctor import Check
    from bot.doctor.timers import Firing
    from bot.machine.environment import Environment
    from bot.settings import Settings

_MARKS = {"ok": "ok", "warning": "warning", "failure": "FAILURE"}


def doctor(config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Look over the site and the machine; each finding with the command that mends it. Exit status 1 on a failure."""
    from bot.doctor import as_table
    from bot.settings import load

    with reported():
        found: list[Check] = []
        for one in _examined(config, state):
            found.append(one)
            if not as_json:
                _say(one)
        table = as_table(found, load(config).site.name)
        _remember(config, state, table)
    if as_json:
        print_object(table)
    raise typer.Exit(1 if table["failure"] else 0)


def _remember(config: Path, state: Path | None, table: dict[str, object]) -> None:
    """For the page; where nothing can be written, the findings say so already."""
    from bot.machine.clock import SystemClock
    from bot.machine.environment import read_environment
    from bot.operation.examined import keep
    from bot.settings import load

    where = folders(load(config), read_environment(), state)
    with suppress(OSError):
        if where.root.stat().st_uid == os.geteuid():  # in a folder of somebody else's nothing of ours is to lie
            keep(where.examined, table, SystemClock().now().isoformat(timespec="seconds"))


def _examined(config: Path, state: Path | None) -> Iterator[Check]:
    from bot.agents.models import choose
    from bot.compose import Shop
    from bot.doctor import examine
    from bot.machine.clock import SystemClock
    from bot.machine.environment import read_environment
    from bot.model import Trigger
    from bot.settings import load

    settings, environment = load(config), read_environment()
    now = SystemClock().now().isoformat(timespec="seconds")
    trigger = Trigger("doctor", now, True, "doctor")
    shop = Shop(settings, folders(settings, environment, state), environment, trigger, choose("anthropic"))
    yield from examine(shop, _firing(settings, environment))


def _firing(settings: Settings, environment: Environment) -> Firing:
    from bot.doctor.timers import Firing, unreachable
    from bot.machine.clock import SystemClock
    from bot.operation.consent import somebody
    from bot.timer.install import carry_out
    from bot.timer.schedulers import Machine

    machine = Machine(Path("/"), environment.config_home)
    asked = (lambda command: carry_out(command, environment.runtime)) if machine.systemd else unreachable
    return Firing(settings, machine, somebody(), SystemClock().now(), asked)


def _say(one: Check) -> None:
    import textwrap

    from bot.lines import one_line

    told = f"{_MARKS[one.level]:<8}{one.name}: {one_line(one.seen)}"
    typer.echo(
        "\n".join(textwrap.wrap(told, 80, subsequent_indent=" " * 8, break_long_words=False, break_on_hyphens=False))
    )
    if one.mend:
        typer.echo(f"{'':<8}mend: {one_line(one.mend)}")
