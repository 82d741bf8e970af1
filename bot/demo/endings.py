"""Owns the table of endings that the demo can show, each with the script that leads there."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from bot.errors import ConfigError
from bot.frozen import frozen

_SCRIPTS = Path(__file__).parent / "scripts"


@frozen
class Ending:
    """One way for a cycle to end: what the run must report, and why. `repairs` are those that were paid for."""

    name: str
    outcome: Literal["committed", "reverted", "skipped", "failed"]
    stage: str
    story: str
    repairs: int = 0

    @property
    def script(self) -> Path | None:
        """The script file; None for a cycle that ends before it asks a model."""
        return None if self.outcome == "skipped" else _SCRIPTS / f"{self.name}.json"

    @property
    def status(self) -> int:
        """The exit status of the run."""
        return 1 if self.outcome == "failed" else 0


ENDINGS = (
    Ending("committed", "committed", "commit", "one new article, approved at once"),
    Ending("committed-feature", "committed", "commit", "one new page, with its Chinese interface"),
    Ending("gate-repaired", "committed", "commit", "an unused import, taken out again by the fixer", repairs=1),
    Ending("review-repaired", "committed", "commit", "a figure without a source, taken out by the fixer", repairs=1),
    Ending("declined", "reverted", "scope", "the builder found nothing worth adding"),
    Ending("scope-protected", "reverted", "scope", "the lint rules were loosened to let a long line pass"),
    Ending("guard-two-things", "reverted", "guards", "two articles instead of one"),
    Ending("guard-known", "reverted", "guards", "an article that a person has withdrawn"),
    Ending("review-unreadable", "reverted", "validate", "a reviewer who gives no verdict, twice"),
    Ending("not-converged", "failed", "decide", "each repair mends one thing and breaks another", repairs=3),
    Ending("no-progress", "failed", "decide", "the fixer talks and changes nothing", repairs=1),
    Ending("skipped", "skipped", "precheck", "the last commit is too young"),
)


def ending(name: str) -> Ending:
    """The ending of that name. Raises ConfigError that lists the names where there is none."""
    for one in ENDINGS:
        if one.name == name:
            return one
    raise ConfigError(f'no ending is called "{name}"; there are {", ".join(one.name for one in ENDINGS)}')
