"""The page as plain files, for any web server or none: the same pages without the forms."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from bot.errors import ConfigError
from bot.web.cycle import cycle_page
from bot.web.difference import lines
from bot.web.exchanges import exchanges
from bot.web.known import known_page
from bot.web.overview import RECENT, overview
from bot.web.render import Links, Visitor, picture, rendered, static
from bot.web.site import Watched

_TOP, _BELOW = Links("", ".html"), Links("../", ".html")


def write_pages(site: Watched, folder: Path) -> tuple[Path, ...]:
    """Write the overview, the ledger and the newest cycles into the folder, each file swapped in whole.

    Files of older cycles stay. Raises ConfigError where the folder cannot be written.
    """
    looker = Visitor()
    texts = {
        "style.css": static("style.css"),
        "icon.svg": static("icon.svg"),
        "index.html": rendered("overview.html", overview(site), _TOP, looker),
        "ledger.html": rendered("ledger.html", known_page(site), _TOP, looker),
    }
    for run in site.journal.runs(RECENT):
        texts[f"cycles/{run.cycle}.html"] = cycle_html(site, run.cycle, _BELOW, looker)
    try:
        return tuple(_write(folder / name, text) for name, text in texts.items())
    except OSError as error:
        raise ConfigError(f"{folder}: the pages cannot be written there: {error.strerror}; name another") from error


def cycle_html(site: Watched, cycle: str, links: Links, visitor: Visitor) -> str:
    """One cycle's page. Raises JournalError where there is none of that name."""
    run = site.journal.run(cycle)
    page = cycle_page(site, run)
    return rendered(
        "cycle.html",
        page,
        links,
        visitor,
        picture=picture(site.settings.cycle.repairs, page["path"]),
        diff=lines(str(page["diff"])),
        told=exchanges(site.folders.cycle(cycle) / "recording.jsonl"),
        site=site.settings.site.name,
    )


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".page-")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(text)
        os.fchmod(file.fileno(), 0o644)
    Path(draft).replace(path)
    return path
