"""The command `plusone`: commands parse, compose, call, print and exit; no rule of the product lives here."""

from __future__ import annotations

import gc
from typing import Annotated

import typer

from bot import __version__
from bot.cli import config, ledger, rescue, timer
from bot.cli.answer import approve, reject
from bot.cli.demo import demo
from bot.cli.doctor import doctor
from bot.cli.drill import drill
from bot.cli.gate import gate
from bot.cli.graph import graph
from bot.cli.init import init
from bot.cli.look import runs, show, status
from bot.cli.man import man
from bot.cli.replay import replay
from bot.cli.revert import revert
from bot.cli.run import run
from bot.cli.serve import serve
from bot.cli.steer import pause, resume

app = typer.Typer(
    name="plusone",
    help="One verified addition per cycle, or nothing.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)
looking = (status, runs, show, replay, gate, graph, serve)
steering = (pause, resume, approve, reject, revert)
for command in (init, doctor, drill, run, demo, *looking, *steering):
    app.command()(command)
app.command(hidden=True)(man)
app.add_typer(config.app, name="config")
app.add_typer(ledger.app, name="ledger")
app.add_typer(rescue.app, name="rescue")
app.add_typer(timer.app, name="timer")


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plusone {__version__}")
        raise typer.Exit


@app.callback()
def plusone(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """One verified addition per cycle, or nothing."""


def main() -> None:
    """The entry point."""
    gc.set_threshold(50_000)  # imports make much and drop nothing: looking through it again and again is wasted
    try:
        app()
    finally:
        gc.freeze()  # the process ends, and its memory with it


if __name__ == "__main__":
    main()
