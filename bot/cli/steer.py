"""`plusone pause` and `resume`: holding the site back, and letting it go on."""

from __future__ import annotations

from typing import Annotated

import typer

from bot.cli.options import CONFIG, Config, State
from bot.cli.reported import reported

Why = Annotated[str, typer.Option("--why", help="A word for whoever looks.")]


def pause(config: Config = CONFIG, state: State = None, why: Why = "") -> None:
    """Start no cycle until `plusone resume`; one that runs is not disturbed."""
    from bot.cli.opened import Opened
    from bot.clock import SystemClock
    from bot.holds import PAUSED
    from bot.lines import shortened

    with reported():
        journal = Opened.of(config, state, fresh=True).journal
        since = SystemClock().now().isoformat(timespec="minutes")
        journal.set_note(PAUSED, f"since {since}" + (f": {shortened(why, 200)}" if why else ""))
    typer.echo("paused; `plusone resume` goes on", err=True)


def resume(config: Config = CONFIG, state: State = None) -> None:
    """Go on after a pause, and close the breaker."""
    from bot.cli.opened import Opened
    from bot.holds import PAUSED, RESUMED

    with reported():
        journal = Opened.of(config, state, fresh=True).journal
        journal.set_note(PAUSED, None)
        newest = journal.runs(1)
        if newest:
            journal.set_note(RESUMED, newest[0].cycle)
    typer.echo("the next firing may start a cycle", err=True)
