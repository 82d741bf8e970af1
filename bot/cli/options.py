"""Options that several commands share, and what they turn into."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.folders import Folders
    from bot.machine.environment import Environment
    from bot.settings import Settings

Config = Annotated[Path, typer.Option("--config", help="The configuration file.")]
State = Annotated[Path | None, typer.Option("--state", help="Where records are kept, for all sites.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object on standard output, and nothing else there.")]
Cycle = Annotated[str, typer.Argument(help="A cycle's id, or the beginning of one; `plusone runs` lists them.")]
CONFIG = Path("plusone.toml")


def folders(settings: Settings, environment: Environment, state: Path | None) -> Folders:
    """The site's state: `--state` first, then the configuration, then the environment."""
    from bot.folders import Folders

    return Folders.of(state or settings.state_dir or environment.state, settings.site.name)
