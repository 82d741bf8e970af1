"""The command `plusone`: commands parse, compose, call, print and exit; no rule of the product lives here."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from bot import __version__
from bot.cli.commands import Everything
from bot.cli.reported import reported
from bot.errors import PlusoneError
from bot.machine.environment import without_plugins
from bot.machine.standard import complete

app = typer.Typer(
    name="plusone",
    cls=Everything,
    help="One verified addition per cycle, or nothing.",
    no_args_is_help=True,
    add_completion=True,
    pretty_exceptions_enable=False,
)


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


@contextmanager
def _unwritten() -> Iterator[None]:
    """Inside, where a command tells what it found, it is the output that no file's name comes with what breaks."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        raise PlusoneError(f"standard output cannot be written ({error.strerror})") from error


def main() -> None:
    """The entry point."""
    complete()
    gc.set_threshold(50_000)  # imports make much and drop nothing: looking through it again and again is wasted
    without_plugins()
    try:
        with reported(), _unwritten():  # also what breaks while a command tells what it found
            app()
    except typer.Exit as ended:
        sys.exit(ended.exit_code)
    finally:
        gc.freeze()  # the process ends, and its memory with it


if __name__ == "__main__":
    main()
