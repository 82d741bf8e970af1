"""skipped: the cycle did not start, and says why."""

from __future__ import annotations

from bot.model import Refused, Skipped


class Skip:
    """Ordinary code; it holds nothing."""

    def run(self, refused: Refused) -> Skipped:
        """The refusal as an outcome."""
        return Skipped(refused.kind, refused.code, refused.reason)
