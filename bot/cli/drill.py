"""`plusone drill`: scripted builders attack a clone of the site; what is not stopped is told first."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Config, Json, State, folders
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.drill import Drill, Result

Only = Annotated[list[str] | None, typer.Option("--only", help="Run this drill alone (repeatable); not put on record.")]
Listing = Annotated[bool, typer.Option("--list", help="Name the drills and run none.")]


def drill(
    config: Config = CONFIG, state: State = None, only: Only = None, listing: Listing = False, as_json: Json = False
) -> None:
    """Let scripted builders attack a clone of the site: no model, no key. Exit status 1 if a bad one is not stopped."""
    from bot.drill import DRILLS

    with reported():
        chosen = _chosen(only or [], DRILLS)
        if listing:
            typer.echo("\n".join(f"{'good' if one.good else 'bad':<5} {one.name}: {one.story}" for one in chosen))
            return
        lost = _held(config, state, chosen, whole=not only, as_json=as_json)
    raise typer.Exit(1 if lost else 0)


def _chosen(names: list[str], drills: tuple[Drill, ...]) -> tuple[Drill, ...]:
    from bot.errors import ConfigError

    known = {one.name for one in drills}
    if unknown := [name for name in names if name not in known]:
        raise ConfigError(f"--only {unknown[0]}: there is no such drill; `plusone drill --list` names them")
    return tuple(one for one in drills if one.name in names or not names)


def _held(config: Config, state: State, chosen: tuple[Drill, ...], *, whole: bool, as_json: bool) -> list[str]:
    """Run them, print the matrix, and return the names of the bad ones that were not stopped."""
    from bot.drill import arena
    from bot.drill.matrix import matrix, table
    from bot.drill.record import keep, survivors
    from bot.machine.clock import SystemClock
    from bot.machine.environment import read_environment
    from bot.machine.stopping import stoppable
    from bot.settings import load

    settings, environment = load(config), read_environment()
    where = folders(settings, environment, state)
    where.create()
    with stoppable(), arena(settings, environment, where.root) as ground:
        results = ground.run(chosen, _Counter(len(chosen)), at_once=max(2, min(4, os.cpu_count() or 2)))
        if as_json:
            print_object(table(settings.site.name, ground.base, results))
        else:
            typer.echo("\n".join(matrix(results)))
        if whole:
            kept = keep(where.root, settings, SystemClock().now().isoformat(), ground.base, results)
            typer.echo(f"on record in {kept}", err=True)
    return survivors(results)


class _Counter:
    """Counts on a terminal while drills end."""

    def __init__(self, of: int) -> None:
        self._of, self._done, self._shown = of, 0, sys.stderr.isatty()

    def __call__(self, one: Result) -> None:
        self._done += 1
        if self._shown:
            typer.echo(f"{self._done:>3} of {self._of}  {one.verdict:<15}  {one.name}", err=True)
