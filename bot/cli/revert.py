"""`plusone revert`: taking one of Plusone's own commits back."""

from __future__ import annotations

from dataclasses import asdict

import typer

from bot.cli.options import CONFIG, Config, Cycle, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported


def revert(cycle: Cycle, config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Push a commit that takes a cycle's own commit back, once the site is seen to work without it; 1 where not."""
    from bot.cli.afterwards import publish
    from bot.cli.opened import Opened
    from bot.compose import Shop
    from bot.compose.reversal import Reversal, Undone
    from bot.consent import somebody
    from bot.lock import held
    from bot.model import Trigger
    from bot.models import choose
    from bot.story import objection

    with reported():
        site = Opened.of(config, state)
        with held(site.folders.lock):
            run = site.run(cycle)
            trigger = Trigger(run.cycle, run.started, model=run.model)
            shop = Shop(site.settings, site.folders, site.environment, trigger, choose("anthropic"))
            found = Reversal(shop).undo(run, somebody())
            publish(site.settings, site.folders, site.journal)
    undone = found if isinstance(found, Undone) else None
    objections = found if isinstance(found, tuple) else ()
    if as_json:
        done = asdict(undone) if undone else {"commit": None, "removes": (), "checkout": ""}
        print_object(
            {"schema_version": 1, "cycle": run.cycle, **done, "objections": [asdict(one) for one in objections]}
        )
    elif undone:
        typer.echo(f"reverted in {undone.commit[:12]}: {', '.join(undone.removes)} ({run.cycle})")
    for one in objections:
        typer.echo("\n".join(objection(one)), err=True)
    raise typer.Exit(0 if undone else 1)
