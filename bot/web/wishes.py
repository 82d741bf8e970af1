"""Records what a person wants: notes of the journal that the next firing, or `plusone approve`, carries out."""

from __future__ import annotations

from bot.errors import ConfigError
from bot.operation.consent import Consent, give, given
from bot.operation.steering import go_on, hold_back
from bot.web.site import Watched


def record(site: Watched, word: str, cycle: str, who: str, why: str) -> None:
    """One of approve, reject (of a cycle), pause, resume. Raises ConfigError where it cannot be wanted any more."""
    journal, now = site.journal, site.now()
    match word:
        case "pause":
            hold_back(journal, now, why)
        case "resume":
            go_on(journal)
        case "approve" | "reject":
            run = journal.run(cycle)
            if run.outcome == "waiting" and (earlier := given(journal, cycle)):
                raise ConfigError(f"{cycle}: {earlier.word} was said already, {earlier.told}; the next firing does it")
            give(journal, run, Consent(word, who, now.isoformat(timespec="seconds"), why))
        case _:
            raise ConfigError(f"{word!r} is nothing that can be wanted")
