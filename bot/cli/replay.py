"""`plusone replay`: a recorded cycle again, offline."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Config, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.cli.opened import Opened

What = Annotated[str, typer.Argument(help="A cycle's id, or a recording's file.")]


def replay(what: What, config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Run a recorded cycle again, offline: same path, same tree, same outcome, or the difference and exit 1."""
    from bot.cli.opened import Opened
    from bot.firing.replay import replay as again
    from bot.lines import printable

    with reported():
        site = Opened.of(config, state)
        done = again(_record(what, site), site.settings, site.folders, site.environment)
        for note in done.notes:
            typer.echo(f"note: {printable(note)}", err=True)
        if as_json:
            found = {"schema_version": 1, "differences": done.differences, "report": done.report}
            print_object(found)
        else:
            typer.echo(printable("\n".join(done.differences)) or _same(done.report))
    raise typer.Exit(1 if done.differences else 0)


def _record(what: str, site: Opened) -> Path:
    from bot.errors import ScriptError

    if Path(what).is_file():
        return Path(what).absolute()
    run = site.run(what)
    file = site.folders.cycle(run.cycle) / "recording.jsonl"
    if not file.exists():
        raise ScriptError(f"{run.cycle} has no recording: it ended before a model was asked ({run.outcome})")
    return file


def _same(report: dict[str, object]) -> str:
    tree = str(report["tree"])[:12] if report["tree"] else "no tree"
    path = report["path"]
    nodes = len(path) if isinstance(path, list) else 0
    return f"the same again: {report['outcome']}, {tree}, the same {nodes} nodes"
