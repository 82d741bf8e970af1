"""The journal: what every run did, row by row, so that a died process loses nothing that was paid for."""

from bot.journal.journal import Journal
from bot.journal.rows import Call, Opening, Reserve, Run, Step

__all__ = ["Call", "Journal", "Opening", "Reserve", "Run", "Step"]
