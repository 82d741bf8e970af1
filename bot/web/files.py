"""The page as plain files, for any web server or none: the same pages without the forms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from bot.pictures import picture as picture_of
from bot.web.cycle import cycle_page
from bot.web.difference import lines
from bot.web.examination import examination_page
from bot.web.exchanges import exchanges
from bot.web.folder import fill
from bot.web.known import known_page
from bot.web.overview import RECENT, overview
from bot.web.render import Links, Visitor, picture, rendered, static
from bot.web.site import Watched

_TOP, _BELOW = Links("", ".html"), Links("../", ".html")


def write_pages(site: Watched, folder: Path) -> tuple[Path, ...]:
    """Write the overview, the ledger, the doctor's page and the newest cycles into the folder, all or nothing.

    What was written there for older cycles goes. Raises ConfigError where the folder cannot be used.
    """
    looker, runs = Visitor(), site.journal.runs(RECENT)
    top = replace(_TOP, cycles=frozenset(run.cycle for run in runs))
    texts = {
        "style.css": static("style.css"),
        "icon.svg": static("icon.svg"),
        "index.html": rendered("overview.html", overview(site), top, looker),
        "ledger.html": rendered("ledger.html", known_page(site), top, looker),
        "doctor.html": rendered("doctor.html", examination_page(site), top, looker),
    }
    files: dict[str, bytes] = {}
    for run in runs:
        texts[f"cycles/{run.cycle}.html"] = cycle_html(site, run.cycle, _BELOW, looker)
        files |= {f"cycles/{run.cycle}/{name}": content for name, content in _pictures(site, run.cycle)}
    files |= {name: text.encode("utf-8", "backslashreplace") for name, text in texts.items()}
    fill(folder, files, site.settings.site.name)
    return tuple(folder / name for name in files)


def _pictures(site: Watched, cycle: str) -> Iterator[tuple[str, bytes]]:
    folder = site.folders.pictures(cycle)
    for page in site.album(cycle).pages:
        for name in (page.before, page.after):
            if (content := picture_of(folder, name)) is not None:
                yield name, content


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
