"""`plusone config`: is the configuration sound, and what does it say in full?"""

from __future__ import annotations

import json

import typer

from bot.cli.options import CONFIG, Config, Json
from bot.cli.output import print_object
from bot.cli.reported import reported

app = typer.Typer(help="Look at the configuration.", no_args_is_help=True)


@app.command()
def check(config: Config = CONFIG) -> None:
    """Say whether the file is sound; if not, which key to mend (exit status 78)."""
    from bot.lines import one_line
    from bot.settings import load

    with reported():
        load(config)
    typer.echo(f"{one_line(config.name)} is sound")


@app.command()
def show(config: Config = CONFIG, as_json: Json = False) -> None:
    """Print every effective value, defaults filled in; the text is itself a configuration file."""
    from bot.settings import digest, load
    from bot.settings.text import as_toml

    with reported():
        settings = load(config)
    table = settings.table()
    if as_json:
        print_object({"schema_version": 1, "digest": digest(settings), "settings": table})
    else:
        typer.echo(as_toml(table), nl=False)


@app.command()
def schema() -> None:
    """Print the JSON Schema of the configuration, for editors and for checks of your own."""
    from bot.settings import schema as described

    typer.echo(json.dumps(described(), ensure_ascii=False, indent=2))
