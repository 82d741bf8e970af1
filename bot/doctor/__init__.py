"""Looks over one site and the machine that keeps it, and names for whatever is amiss the command that mends it."""

from __future__ import annotations

from bot.doctor.check import Check, as_table
from bot.doctor.examination import examine

__all__ = ["Check", "as_table", "examine"]
