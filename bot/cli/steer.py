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
    from bot.machine.clock import SystemClock
    from bot.operation.steering import hold_back

    with reported():
        hold_back(Opened.of(config, state, fresh=True).journal, SystemClock().now(), why)
    typer.echo("paused; `plusone resume` goes on", err=True)


def resume(config: Config = CONFIG, state: State = None) -> None:
    """Go on after a pause, and close the breaker."""
    from bot.cli.opened import Opened
    from bot.operation.steering import go_on

    with reported():
        go_on(Opened.of(config, state, fresh=True).journal)
    typer.echo("the next firing may start a cycle", err=True)
