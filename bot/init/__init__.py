"""Writes a first plusone.toml for a checkout, from what reading its files tells; nothing of the site is run."""

from __future__ import annotations

from bot.init.findings import Findings, find
from bot.init.writing import written

__all__ = ["Findings", "find", "written"]
