"""The ledger's page: every known key and how it is known, and the ideas that were turned down."""

from __future__ import annotations

from dataclasses import asdict

from bot.telling.report import Report
from bot.web.overview import added
from bot.web.site import Watched

REJECTED = 100


def known_page(site: Watched) -> Report:
    """The page as one object, also for `/ledger.json`."""
    ledger = site.ledger
    return {
        "schema_version": 1,
        "site": site.settings.site.name,
        "added": added(site),
        "known": dict(ledger.known()) if ledger else {},
        "rejected": [asdict(one) for one in ledger.rejected(REJECTED)] if ledger else [],
    }
