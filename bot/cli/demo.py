"""`plusone demo`: one whole cycle on a site that comes along, or one for every ending."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.demo import Ending

Everything = Annotated[bool, typer.Option("--all", help="A cycle for each ending that exists, and a table of them.")]
Keep = Annotated[Path | None, typer.Option("--keep", help="The folder to use; it must be new or empty.")]


def demo(everything: Everything = False, keep: Keep = None) -> None:
    """Run a cycle on a demo site with a written script: no key, no server, nothing outside one folder."""
    from bot.demo import ENDINGS, ending
    from bot.demo.stage import room

    with reported():
        folder = room(keep or Path(tempfile.mkdtemp(prefix="plusone-demo-")))
        if everything:
            fits = [_row(folder / one.name, one) for one in ENDINGS]
            typer.echo(f"\nall of it lies in {folder}")
        else:
            fits = [_story(folder, ending("committed"))]
    raise typer.Exit(0 if all(fits) else 1)


def _story(folder: Path, wanted: Ending) -> bool:
    """One cycle, told step by step, with the commands to look further."""
    from bot.demo.performance import perform

    typer.echo(f"a bare remote, a checkout of it and plusone.toml in {folder}; now one cycle …", err=True)
    done = perform(folder, wanted, sys.executable)
    for line in done.story(_called()):
        typer.echo(line)
    return done.fits


def _called() -> str:
    """How this program is called here: by its name where the shell finds it, else by its path."""
    return "plusone" if shutil.which("plusone") else os.path.relpath(sys.argv[0])


def _row(folder: Path, wanted: Ending) -> bool:
    """One ending on one line, as soon as it is reached."""
    from bot.demo.performance import perform

    done = perform(folder, wanted, sys.executable)
    typer.echo(done.row())
    return done.fits
