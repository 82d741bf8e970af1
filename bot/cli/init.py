"""`plusone init`: a first plusone.toml for the checkout in which it is called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.init import Findings
    from bot.init.writing import Written

Print = Annotated[bool, typer.Option("--print", help="Print the file and write nothing.")]
Python = Annotated[str, typer.Option("--python", help="The site's own interpreter, if it is not in the checkout.")]
Folder = Annotated[Path, typer.Argument(help="The top of the checkout.")]


def init(folder: Folder = Path(), show: Print = False, python: Python = "") -> None:
    """Read a checkout and write plusone.toml into it, never over one. Nothing of the site is run."""
    from bot.errors import ConfigError
    from bot.init import find, written

    with reported():
        target = folder / CONFIG
        if not show and (target.exists() or target.is_symlink()):
            raise ConfigError(f"{target} is there already and is not overwritten; see a new one with --print")
        found = find(folder, python)
        made = written(found)
        if show:
            typer.echo(made.text, nl=False)
        else:
            with target.open("x", encoding="utf-8") as file:
                file.write(made.text)
    _tell(found, made, target)


def _tell(found: Findings, made: Written, target: Path) -> None:
    from bot.init.findings import told
    from bot.lines import one_line

    for label, value in told(found):
        typer.echo(f"{label:<14} {one_line(value) or 'not found'}", err=True)
    for line in made.missing:
        typer.echo(f"fill in: {one_line(line)}", err=True)
    where = "" if target == CONFIG else f" --config {target}"
    typer.echo(f"next: plusone doctor{where}, then plusone run --dry-run{where}", err=True)
