"""Says how cycles end: a ping, a webhook, a message. What cannot be delivered is noted and never fails a cycle."""

from __future__ import annotations

from bot.notify.announcement import announce, answered, left_unsaid, starting
from bot.notify.delivery import ready, undelivered, wanted

__all__ = ["announce", "answered", "left_unsaid", "ready", "starting", "undelivered", "wanted"]
