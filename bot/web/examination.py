"""The doctor's page: what `plusone doctor` found when it was asked last. Looking at the page examines nothing."""

from __future__ import annotations

from bot.operation.examined import kept
from bot.telling.report import Report
from bot.web.site import Watched


def examination_page(site: Watched) -> Report:
    """The page as one object, also for `/doctor.json`; `when` is None where nobody has asked yet."""
    nothing: Report = {"schema_version": 1, "site": site.settings.site.name, "when": None, "checks": []}
    levels = dict.fromkeys(("ok", "warning", "failure"), 0)
    return {**nothing, **levels, **(kept(site.folders.examined) or {})}
