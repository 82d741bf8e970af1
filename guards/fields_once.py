"""Guard: no field of a new entry stands twice in its file."""

from __future__ import annotations

import json
from collections.abc import Iterator

from bot.model import Objection
from guards.facts import URL_MAP, Facts

REPEATED = "<again>"  # under which a parsed mapping lists its keys that stand more than once


def fields_once(facts: Facts) -> Iterator[Objection]:
    """Objects to each field that a new entry's front matter or data gives twice: one of the two is never read."""
    for one in facts.differences:
        new = set(one.added) if one.name != URL_MAP else set()
        for entry in facts.candidate.registry(one.name).entries if new else ():
            if entry.key in new and REPEATED in entry.content:
                for field in sorted(_repeated(json.loads(entry.content))):
                    yield _objection(facts, f"{one.name}/{entry.key}", field)


def _repeated(value: object) -> set[str]:
    if isinstance(value, list):
        return {field for one in value for field in _repeated(one)}
    if not isinstance(value, dict):
        return set()
    here = value.get(REPEATED)
    found = {str(field) for field in here} if isinstance(here, list) else set()
    return found.union(*(_repeated(one) for one in value.values()))


def _objection(facts: Facts, subject: str, field: str) -> Objection:
    what = f"the field {field!r} stands twice; one of the two is never read"
    return Objection("duplicate-field", "guards", facts.place(field), subject, what, field, "each field once")
