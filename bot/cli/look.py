"""`plusone runs`, `show` and `status`: looking, and touching nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import CONFIG, Config, Cycle, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported

Limit = Annotated[int, typer.Option("--limit", min=1, help="How many, the newest first.")]
Diff = Annotated[bool, typer.Option("--diff", help="Print the difference that the cycle made, too.")]


def runs(config: Config = CONFIG, state: State = None, limit: Limit = 20, as_json: Json = False) -> None:
    """List the cycles, newest first."""
    from bot.cli.opened import Opened
    from bot.telling.report import report
    from bot.telling.story import row

    with reported():
        site = Opened.of(config, state)
        found = site.journal.runs(limit)
        if as_json:
            listed = [report(site.journal, run) for run in found]
            print_object({"schema_version": 1, "runs": listed})
        else:
            typer.echo("\n".join(row(run) for run in found) or "no cycle yet")


def show(cycle: Cycle, config: Config = CONFIG, state: State = None, diff: Diff = False, as_json: Json = False) -> None:
    """Tell one cycle's story: what each node returned, objections, evidence and cost."""
    from bot.cli.opened import Opened
    from bot.telling.report import report
    from bot.telling.story import story

    with reported():
        site = Opened.of(config, state)
        run = site.run(cycle)
        patch = _difference(site.folders.store, run.base, run.tree) if diff else ""
        if as_json:
            told = report(site.journal, run) | ({"diff": patch} if diff else {})
            print_object(told)
        else:
            typer.echo(
                "\n".join([*story(site.journal, run), *(["", patch or "this cycle made no tree"] if diff else ())])
            )


def status(config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Say how the site fares: the last cycles, what was spent today, and what holds the next one back."""
    from bot.cli.opened import Opened
    from bot.operation.standing import standing, told

    with reported():
        site = Opened.of(config, state)
        found = standing(site.settings, site.journal)
        if as_json:
            print_object(found)
        else:
            typer.echo("\n".join(told(found)))


def _difference(store: Path, base: str | None, tree: str | None) -> str:
    """The patch with control characters spelt out; empty where the cycle made no tree."""
    from bot.errors import CommandFailed, ConfigError
    from bot.lines import printable
    from bot.store.remote import Remote
    from bot.store.repository import Store

    if not base or not tree:
        return ""
    opened = Store.open(store, Remote(str(store)))
    try:
        return printable(opened.patch(opened.tree_of(base), tree))
    except CommandFailed as error:
        gone = f"{store} does not hold {tree[:12]} and its base any more"
        raise ConfigError(
            f"{gone}: what is older than state.keep_days goes; the rest is shown without --diff"
        ) from error
