"""A notice as one JSON object, for a server of the owner's."""

from __future__ import annotations

import json

from bot.notify.notice import Notice
from bot.notify.post import post as posted
from bot.telling.report import printed


def post(url: str, site: str, notice: Notice) -> None:
    """The event, and the report as `run --json` prints it. Raises Undelivered."""
    found = {
        "schema_version": 1,
        "site": site,
        "event": notice.event,
        "title": notice.title,
        "exit_status": notice.status,
        "report": printed(notice.report),
    }
    posted(url, json.dumps(found, ensure_ascii=True).encode(), "application/json")
