"""`plusone timer`: cycles that start by themselves."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Config, Json, State, folders
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.timer import Plan
    from bot.timer.schedulers import Machine

app = typer.Typer(help="Start cycles by themselves, by systemd or cron.", no_args_is_help=True)
Mine = Annotated[
    bool | None,
    typer.Option("--user-units/--system-units", help="Which manager; by default the system's for root only."),
]
Who = Annotated[str, typer.Option("--user", help="Whom the system's manager runs cycles as.")]
Print = Annotated[bool, typer.Option("--print", help="Print the files and write nothing.")]
Cron = Annotated[bool, typer.Option("--cron", help="Print a line for a crontab instead of units.")]
Into = Annotated[Path | None, typer.Option("--into", help="Write or remove the files there and tell no manager.")]

Survivors = Annotated[
    list[str] | None, typer.Option("--i-accept-the-survivors", help="A bad builder that the drill did not stop.")
]


@app.command()
def install(
    config: Config = CONFIG,
    mine: Mine = None,
    user: Who = "plusone",
    show: Print = False,
    cron: Cron = False,
    into: Into = None,
    state: State = None,
    survivors: Survivors = None,
) -> None:
    """Write service, timer and failure unit, and switch the timer on; without systemd, print a line for cron.

    Refuses while the last `plusone drill` is missing, of another program or configuration, or has a survivor.
    """
    from bot.settings import load
    from bot.timer.cron import crontab
    from bot.timer.install import known_user, write
    from bot.timer.proof import verify

    with reported():
        settings, machine = load(config), _machine()
        if not show:
            _drilled(settings, state, survivors or [])
        if cron or not (machine.systemd or show or into):
            typer.echo(crontab(settings, _program()), nl=False)
            typer.echo("put this line into a crontab: crontab -e", err=True)
            return
        plan = _plan(settings, mine, user)
        if show:
            typer.echo("\n".join(f"# {name}\n{text}" for name, text in plan.units.items()))
            return
        if plan.manager == "system" and into is None:
            known_user(user)
        for complaint in verify(plan.units, plan.manager).complaints if machine.systemd else ():
            typer.echo(f"plusone: {complaint}", err=True)
        for path in write(plan, into or _folder(machine, plan)):
            typer.echo(f"wrote {path}", err=True)
        if into is None:
            _switch_on(plan)


@app.command()
def verify(config: Config = CONFIG, mine: Mine = None, user: Who = "plusone", as_json: Json = False) -> None:
    """Have systemd's own checker read the units; any message of it is a failure (exit status 1)."""
    from bot.settings import load
    from bot.timer.proof import verify as proven

    with reported():
        settings, machine = load(config), _machine()
        plan = _plan(settings, mine, user)
        installed = _installed(plan, _folder(machine, plan))
        found = proven(installed or plan.units, plan.manager)
        stale = bool(installed) and installed != dict(plan.units)
    for complaint in found.complaints:
        typer.echo(f"plusone: {complaint}", err=True)
    if stale:
        typer.echo("plusone: the installed units are not those of this configuration: plusone timer install", err=True)
    what = "installed" if installed else "not installed; as they would be"
    if as_json:
        told = {"units": [*plan.units], "installed": bool(installed), "stale": stale, **asdict(found)}
        print_object({"schema_version": 1, **told})
    else:
        typer.echo(f"{', '.join(plan.units)} ({what}): exposure {found.exposure or 'unknown'}")
    raise typer.Exit(1 if found.complaints or stale else 0)


@app.command()
def uninstall(config: Config = CONFIG, mine: Mine = None, user: Who = "plusone", into: Into = None) -> None:
    """Stop the timer and remove the three units; records and configuration stay."""
    from bot.settings import load
    from bot.timer.install import carry_out, control, remove, switching_off

    with reported():
        plan, machine = _plan(load(config), mine, user), _machine()
        folder = into or _folder(machine, plan)
        if into is None and machine.systemd and (folder / plan.timer).exists():
            for command in switching_off(plan):
                carry_out(command, _runtime())
        removed = remove(plan, folder)
        if into is None and machine.systemd:
            carry_out(control(plan.manager, "daemon-reload"), _runtime())
    typer.echo("\n".join(f"removed {path}" for path in removed) or f"nothing of ours in {folder}", err=True)


@app.command(hidden=True)
def failed(config: Config = CONFIG, state: State = None) -> None:
    """For the failure unit: tell those who are to hear, unless the cycle that failed could still do so itself."""
    from bot.cli.opened import Opened
    from bot.notify import left_unsaid

    with reported():
        site = Opened.of(config, state, fresh=True)
        left_unsaid(site.settings, site.environment, site.journal)


def _drilled(settings: Settings, state: Path | None, accepted: list[str]) -> None:
    from bot.drill.record import require
    from bot.machine.environment import read_environment

    require(folders(settings, read_environment(), state).root, settings, accepted)


def _plan(settings: Settings, mine: bool | None, user: str) -> Plan:
    from bot.timer import planned

    users = os.geteuid() != 0 if mine is None else mine
    return planned(settings, _program(), "user" if users else "system", user)


def _program() -> Path:
    """This very program, by an absolute path, as a unit wants it."""
    return Path(sys.prefix, "bin", "plusone")


def _machine() -> Machine:
    from bot.machine.environment import read_environment
    from bot.timer.schedulers import Machine

    return Machine(Path("/"), read_environment().config_home)


def _folder(machine: Machine, plan: Plan) -> Path:
    return machine.user_units if plan.manager == "user" else machine.system_units


def _installed(plan: Plan, folder: Path) -> dict[str, str]:
    """The installed texts; empty unless all three are there."""
    paths = {name: folder / name for name in plan.units}
    there = all(path.is_file() for path in paths.values())
    return {name: path.read_text("utf-8", "replace") for name, path in paths.items()} if there else {}


def _runtime() -> str:
    from bot.machine.environment import read_environment

    return read_environment().runtime


def _switch_on(plan: Plan) -> None:
    from bot.timer.install import carry_out, switching_on

    for command in switching_on(plan):
        carry_out(command, _runtime())
        typer.echo(" ".join(command), err=True)
    look = " --state /var/lib/plusone" if plan.manager == "system" else ""
    typer.echo(f"next: plusone doctor{look}", err=True)
