"""Guard: the same change was not tried before and turned down."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model import Objection
from guards.facts import Facts


def tried_before(facts: Facts) -> Iterator[Objection]:
    """Objects to a difference that is an earlier attempt's, line numbers and blanks apart, whatever it claims to be."""
    patch = facts.snapshot.patch
    if how := facts.attempts.get(patch, "") if patch else "":
        claim = facts.snapshot.claim
        where = f"{facts.added[0].path}:{facts.added[0].number}" if facts.added else ""
        what = "the very same change was tried before and rejected"
        accept = "another change; the reasons are listed in the task"
        yield Objection("tried-before", "guards", where, f"{claim.kind}/{claim.key}", what, how, accept)
