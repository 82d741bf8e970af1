"""What the page looks at: one site's settings and records, opened for reading."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.folders import Folders
from bot.frozen import frozen
from bot.journal import Journal
from bot.machine.clock import SystemClock
from bot.pictures import Album, kept
from bot.settings import Settings
from bot.store.remote import Remote
from bot.store.repository import Store
from ledger.store import LedgerStore


@frozen
class Watched:
    """One site, as its owner configured it, and what was recorded of it."""

    settings: Settings
    folders: Folders
    journal: Journal
    now: Callable[[], datetime] = SystemClock().now

    @property
    def ledger(self) -> LedgerStore | None:
        """What is known; None where nothing was read yet, for looking makes no file."""
        path = self.folders.ledger
        return LedgerStore(path, self.settings.ledger.known) if path.exists() else None

    def album(self, cycle: str) -> Album:
        """The pictures of one cycle; an empty album without a reason where none were taken."""
        return kept(self.folders.pictures(cycle)) or Album()

    @property
    def store(self) -> Store | None:
        """The trees and commits; None before the first cycle. The remote is never asked."""
        path = self.folders.store
        return Store.open(path, Remote(str(path))) if path.exists() else None
