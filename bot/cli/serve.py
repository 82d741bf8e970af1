"""`plusone serve`: the status page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from bot.cli.options import CONFIG, Config, State
from bot.cli.reported import reported

Bind = Annotated[str, typer.Option("--bind", help="The address to listen on; think before it is not a loopback one.")]
Port = Annotated[int, typer.Option("--port", min=0, max=65535, help="0 takes a free one.")]
Names = Annotated[list[str] | None, typer.Option("--name", help="A further host (HOST:PORT) by which it is known.")]
Write = Annotated[Path | None, typer.Option("--write", help="Write the pages into this folder instead, once.")]


def serve(
    config: Config = CONFIG,
    state: State = None,
    bind: Bind = "127.0.0.1",
    port: Port = 8765,
    name: Names = None,
    write: Write = None,
) -> None:
    """Serve the status page until interrupted. Reading needs no token; approve, reject, pause and resume do."""
    from bot.cli.opened import Opened
    from bot.web import Watched, write_pages

    with reported():
        opened = Opened.of(config, state, fresh=True)
        site = Watched(opened.settings, opened.folders, opened.journal)
        if write is not None:
            typer.echo(f"{len(write_pages(site, write))} files are in {write}", err=True)
            return
        from bot.web.server import Server

        server = Server.listening(site, bind, port, tuple(name or ()))
        typer.echo(server.address)
        typer.echo(f"the token, for approve, reject, pause and resume: {server.door.token}", err=True)
        server.serve()
