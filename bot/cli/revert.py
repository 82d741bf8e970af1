"""`plusone revert`: taking one of Plusone's own commits back."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import typer

from bot.cli.options import CONFIG, Config, Cycle, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.cli.opened import Opened
    from bot.compose.reversal import Undone
    from bot.journal import Run
    from bot.telling.report import Report


def revert(cycle: Cycle, config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Push a commit that takes a cycle's own commit back, once the site is seen to work without it; 1 where not."""
    from bot.agents.models import choose
    from bot.cli.afterwards import publish
    from bot.cli.opened import Opened
    from bot.compose import Shop
    from bot.compose.reversal import Reversal, Undone
    from bot.machine.lock import held
    from bot.model import Trigger
    from bot.notify import answered
    from bot.operation.consent import somebody
    from bot.telling.story import objection

    with reported():
        site = Opened.of(config, state)
        with held(site.folders.lock):
            run = site.run(cycle)
            trigger = Trigger(run.cycle, run.started, model=run.model)
            shop = Shop(site.settings, site.folders, site.environment, trigger, choose("anthropic"))
            found = Reversal(shop).undo(run, somebody())
            if isinstance(found, Undone):
                answered(site.settings, site.journal, _told(site, run, found))
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


def _told(site: Opened, run: Run, undone: Undone) -> Report:
    """The push of the revert commit, as notices tell of a cycle's end."""
    from bot.operation.consent import somebody
    from bot.telling.report import report

    reason = f"took back {', '.join(undone.removes)} by the word of {somebody()}"
    return {**report(site.journal, run), "reason": reason, "commit": undone.commit}
