"""A journal with pages in it: runs whose steps return given values, written by a clock that is moved by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bot.codec import decode, encode
from bot.journal import Journal, Opening, Reserve, Run
from bot.model import Outcome, Tokens, Trigger
from tests.support.toys import HandClock


class Pages:
    """One site's journal, as firings would have written it."""

    def __init__(self, folder: Path) -> None:
        self.clock = HandClock()
        self.journal = Journal(folder / "journal.db", self.clock, encode, decode)

    def run(
        self, cycle: str, outcome: Outcome | None = None, steps: Sequence[tuple[str, object]] = (), *, dry: bool = False
    ) -> Run:
        """A run whose nodes returned these, half a second each; without an outcome it stays open."""
        given = Trigger(cycle, self.clock.now().isoformat(), dry)
        self.journal.open_run(Opening(cycle, "g", given, model="script:x", sandbox="auto", dry_run=dry))
        for number, (node, value) in enumerate(steps, start=1):
            self.journal.start(cycle, number, node)
            self.clock.forward(seconds=0.5)
            self.journal.end(cycle, number, value)
        if outcome is not None:
            self.journal.close(cycle, outcome, stage=steps[-1][0] if steps else "precheck", base="b" * 40)
        return self.journal.run(cycle)

    def call(self, cycle: str, node: str, usd: float | None = 0.25) -> None:
        """A model call of a run that is open still."""
        used = Tokens(100, 20, 5, 0)
        number = self.journal.reserve(Reserve(cycle, node, 1, "a-model", used, usd), lambda *_: None)
        self.journal.settle(number, used, usd, "done")
