"""`plusone run`: one cycle now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Config, Json, State, folders
from bot.cli.output import print_object
from bot.cli.reported import complain, reported

if TYPE_CHECKING:
    from bot.telling.report import Report

Model = Annotated[str, typer.Option("--model", help="anthropic, script:FILE or recording:FILE.")]
SET_UP = 78
Dry = Annotated[bool, typer.Option("--dry-run", help="The whole cycle, every check included, but no push.")]


def run(
    config: Config = CONFIG,
    dry_run: Dry = False,
    model: Model = "anthropic",
    as_json: Json = False,
    state: State = None,
) -> None:
    """Run one cycle now, or finish the one whose process died."""
    from bot.agents.models import choose
    from bot.cli.afterwards import afterwards
    from bot.cli.progress import Progress
    from bot.firing.start import Order, fire
    from bot.machine.environment import read_environment
    from bot.machine.stopping import stoppable
    from bot.settings import load
    from bot.telling.report import printed, unstarted

    heard: list[Report] = []

    def broke(text: str) -> None:
        if as_json:
            print_object(printed(heard[0] if heard else unstarted("", "failed", "set-up", text, dry_run)))

    with reported(broke):
        environment, settings, choice = read_environment(), load(config), choose(model)
        choice.check()
        where = folders(settings, environment, state)
        with stoppable(), Progress(environment.notify_socket) as progress:
            order = Order(
                *(settings, where, environment, choice, dry_run, heard.append),
                watch=progress.at,
                along=progress.tell,
                after=afterwards,
            )
            report = fire(order)
    if as_json:
        print_object(printed(report))
    tell(report, quiet=as_json)
    raise typer.Exit(status(report))


def tell(report: Report, quiet: bool) -> None:
    """The end of a cycle on one line: on standard error where somebody has to act; `quiet` leaves it out elsewhere.

    A site that needs a person is told of once, when that begins, and once when it is over.
    """
    from bot.lines import one_line

    where = f" {str(report['commit'])[:12]}" if report["commit"] else ""
    line = one_line(f"{report['outcome']}{where}: {report['reason']} ({report['cycle']})")
    told_before = report["outcome"] == "skipped" and status(report) == SET_UP
    if loud := str(report.get("notice") or "") or (line if status(report) and not told_before else ""):
        complain(one_line(loud))
    if not quiet and not (status(report) and loud):
        typer.echo(line)


def status(report: Report) -> int:
    """The exit status that the report carries."""
    code = report.get("exit_code", 0)
    return code if isinstance(code, int) else 1
