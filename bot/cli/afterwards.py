"""What follows a cycle for people to look at: pictures, and the page as files. None of it can fail the cycle."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from bot.cli.reported import tolerated

if TYPE_CHECKING:
    from collections.abc import Callable

    from bot.compose import Shop
    from bot.folders import Folders
    from bot.journal import Journal
    from bot.settings import Settings
    from bot.telling.report import Report


def afterwards(shop: Shop, ended: Report) -> None:
    """After a cycle that was more than put off; a quiet skip, and a cycle that was told to stop, leave all as it is."""
    from bot.machine.reaping import ROLL

    quiet = ended["outcome"] == "skipped" and not ended.get("exit_code")
    if quiet or ROLL.closed:
        return
    from bot.compose.photographer import portray
    from bot.operation.unshown import forget

    with tolerated(_noting(shop.journal, "pictures")):
        portray(shop)
        forget(shop.journal, "pictures")
    publish(shop.settings, shop.folders, shop.journal)


def publish(settings: Settings, folders: Folders, journal: Journal) -> None:
    """Write the page as files. Call it with the lock held."""
    from bot.operation.unshown import forget

    with tolerated(_noting(journal, "files")):
        from bot.web.files import write_pages
        from bot.web.site import Watched

        write_pages(Watched(settings, folders, journal), settings.page_folder or folders.pages)
        forget(journal, "files")


def _noting(journal: Journal, what: str) -> Callable[[str], None]:
    from bot.errors import JournalError
    from bot.operation.unshown import note

    def noted(why: str) -> None:
        with suppress(JournalError):  # a full disk, say: the cycle has ended, and its record is whole
            note(journal, what, why)

    return noted
