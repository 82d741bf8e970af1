"""`plusone gate`: the gate alone, on two revisions of the site."""

from __future__ import annotations

import sys
from collections.abc import Callable
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.options import CONFIG, Config, Json, State, folders
from bot.cli.reported import reported
from bot.lines import printable

if TYPE_CHECKING:
    from bot.settings import Settings
    from bot.telling.findings import Findings


class Format(StrEnum):
    """How findings are written."""

    TEXT = "text"
    JSON = "json"
    SARIF = "sarif"
    GITHUB = "github"


Base = Annotated[str, typer.Option("--base", help="What to compare with: a commit or branch. [the site's branch]")]
Tree = Annotated[str, typer.Option("--tree", help="What to judge: a commit or branch, as the checkout knows it.")]
How = Annotated[Format, typer.Option("--format", help="How the findings are written.")]


def gate(
    config: Config = CONFIG,
    base: Base = "",
    tree: Tree = "HEAD",
    how: How = Format.TEXT,
    as_json: Json = False,
    state: State = None,
) -> None:
    """Run the gate alone on two revisions: exit 0 where it passes, 1 where it objects, 78 where base cannot be seen."""
    from bot.settings import load
    from bot.telling.findings import FORMATS

    with reported():
        found = _judged(load(config), base, tree, state)
    typer.echo(FORMATS["json" if as_json else how.value](found))
    raise typer.Exit(1 if found.objections else 0)


def _progress() -> Callable[[str], None]:
    """Tells a person who waits; a pipe hears nothing."""
    if not sys.stderr.isatty():
        return lambda _: None
    return lambda text: typer.echo(printable(text), err=True)


def _judged(settings: Settings, base: str, tree: str, state: State) -> Findings:
    from bot.agents.models import ModelChoice
    from bot.compose import Shop
    from bot.compose.gating import judged
    from bot.machine.clock import SystemClock
    from bot.machine.environment import read_environment
    from bot.machine.lock import held
    from bot.machine.removal import remove
    from bot.model import Trigger
    from bot.store.revisions import revision
    from bot.telling.findings import Findings

    environment = read_environment()
    where = folders(settings, environment, state)
    where.create()
    started = SystemClock().now().replace(microsecond=0).isoformat()
    shop = Shop(settings, where, environment, Trigger("gate", started, dry_run=True), ModelChoice("anthropic"))
    checkout, branch = settings.checkout or settings.folder, settings.site.branch
    with held(where.lock):
        try:
            before = revision(shop.store, branch, checkout, base or branch)
            now = revision(shop.store, branch, checkout, tree)
            return Findings(before, now, judged(shop, before, now, _progress()))
        finally:
            remove(where.scratch)
