"""Whether the last drill speaks for the timer."""

from __future__ import annotations

from bot.compose import Shop
from bot.doctor.check import Check, Look
from bot.drill.record import last, require
from bot.errors import ConfigError


def look(shop: Shop) -> Look:
    """Reads the record of the last drill."""
    return Look("drill", lambda: drilled(shop), "plusone drill")


def drilled(shop: Shop) -> Check:
    """A warning where the timer would not be installed now: units that are installed run on."""
    try:
        require(shop.folders.root, shop.settings)
    except ConfigError as error:
        return Check("drill", "warning", str(error), "plusone drill")
    found = last(shop.folders.root)
    return Check("drill", "ok", f"all bad builders were stopped at {found.when[:16]} UTC" if found else "")
