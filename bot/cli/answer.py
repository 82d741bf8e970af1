"""`plusone approve` and `reject`: a person's word about a cycle that waits for it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bot.cli.options import CONFIG, Config, Cycle, Json, State
from bot.cli.output import print_object
from bot.cli.reported import reported

if TYPE_CHECKING:
    from bot.telling.report import Report

Why = Annotated[str, typer.Option("--why", help="The reason, for the record and for the agent.")]


def approve(cycle: Cycle, config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Push exactly the commit of a cycle that waits; exit status 1 where it came too late."""
    _answer("approve", "", cycle, (config, state), as_json)


def reject(cycle: Cycle, why: Why = "", config: Config = CONFIG, state: State = None, as_json: Json = False) -> None:
    """Give up a cycle that waits; its idea and the reason are remembered, its commit is kept under a rescue ref."""
    _answer("reject", why, cycle, (config, state), as_json)


def _answer(
    word: Literal["approve", "reject"], why: str, cycle: str, where: tuple[Path, Path | None], as_json: bool
) -> None:
    from bot.cli.run import tell
    from bot.telling.report import printed

    with reported():
        report = _answered(word, why, cycle, where)
    if as_json:
        print_object(printed(report))
    tell(report, quiet=as_json)
    raise typer.Exit(1 if word == "approve" and report["outcome"] != "committed" else 0)


def _answered(word: Literal["approve", "reject"], why: str, cycle: str, where: tuple[Path, Path | None]) -> Report:
    from bot.agents.models import choose
    from bot.cli.afterwards import publish
    from bot.cli.opened import Opened
    from bot.compose import Shop
    from bot.compose.waiting import WaitingRoom
    from bot.machine.clock import SystemClock
    from bot.machine.lock import held
    from bot.model import Trigger
    from bot.operation.consent import Consent, somebody
    from bot.telling.report import report

    site = Opened.of(*where)
    with held(site.folders.lock):
        run = site.run(cycle)
        trigger = Trigger(run.cycle, run.started, model=run.model)
        shop = Shop(site.settings, site.folders, site.environment, trigger, choose("anthropic"))
        said = Consent(word, somebody(), SystemClock().now().isoformat(timespec="seconds"), why)
        WaitingRoom(shop).answer(run, said)
        publish(site.settings, site.folders, site.journal)
        return report(shop.journal, shop.journal.run(run.cycle))
