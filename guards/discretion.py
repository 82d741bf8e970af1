"""No objection quotes a secret, whatever a guard found it in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import wraps

from bot.model import Objection
from guards.facts import Facts, Guard


def discreet(guard: Guard) -> Guard:
    """The same guard with the exact secrets blacked out in what it says."""

    @wraps(guard)
    def judged(facts: Facts) -> Iterator[Objection]:
        for one in guard(facts):
            yield _blackened(one, facts.secrets)

    return judged


def _blackened(one: Objection, secrets: tuple[str, ...]) -> Objection:
    where, subject, what, seen = one.where, one.subject, one.what, one.seen
    for value in sorted(filter(None, secrets), key=len, reverse=True):
        where, subject, what, seen = (text.replace(value, "[secret]") for text in (where, subject, what, seen))
    return replace(one, where=where, subject=subject, what=what, seen=seen)
