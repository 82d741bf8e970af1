"""What makes cycles start by themselves: units of systemd or a line of cron, and who else is at it already."""

from __future__ import annotations

from bot.timer.deadline import Deadline, deadline
from bot.timer.plan import Plan, planned

__all__ = ["Deadline", "Plan", "deadline", "planned"]
