"""Owns what people say about a cycle that waits for them: who wants what, when and why, as notes of the journal."""

from __future__ import annotations

import json
import os
import pwd
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Literal

from bot.errors import ConfigError, JournalError
from bot.frozen import frozen
from bot.journal import Journal, Run
from bot.lines import shortened

_WORDS = 300


@frozen
class Consent:
    """One person's word about one cycle; `when` is UTC, ISO 8601. It stays in the journal after it was carried out."""

    word: Literal["approve", "reject"]
    who: str
    when: str
    why: str = ""

    @property
    def told(self) -> str:
        """It as the end of a sentence."""
        return f"by {self.who} on {self.when[:16]} UTC" + (f": {self.why}" if self.why else "")


def somebody() -> str:
    """The user of this process, by name where it has one."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


def given(journal: Journal, cycle: str) -> Consent | None:
    """What was said about the cycle last, if anything. Raises JournalError where the note cannot be read."""
    text = journal.note(_note(cycle))
    try:
        return None if text is None else _read(text)
    except (ValueError, TypeError) as error:
        raise JournalError(f"the note on {cycle} cannot be read: {error}; `plusone reject` writes it anew") from error


def give(journal: Journal, run: Run, consent: Consent) -> None:
    """Note it for whoever carries it out. Raises ConfigError where the run waits for nobody."""
    if run.outcome != "waiting":
        raise ConfigError(f"{run.cycle} does not wait: it is {run.outcome or 'not ended'} ({run.reason})")
    fit = Consent(consent.word, shortened(consent.who), consent.when, shortened(consent.why, _WORDS))
    journal.set_note(_note(run.cycle), json.dumps(asdict(fit), ensure_ascii=False))


def expires(run: Run, after: timedelta) -> datetime:
    """When it is too late to approve of a run that waits."""
    return datetime.fromisoformat(run.ended or run.started) + after


def _read(text: str) -> Consent:
    said = Consent(**json.loads(text))
    if said.word not in ("approve", "reject"):
        raise ValueError(f"{said.word!r} is neither approve nor reject")
    return said


def _note(cycle: str) -> str:
    return f"consent/{cycle}"
