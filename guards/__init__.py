"""Is it one thing, and is it new? One guard a file; each is a pure function from facts to objections."""

from __future__ import annotations

from guards.claim_holds import claim_holds
from guards.discretion import discreet
from guards.facts import Guard
from guards.nothing_taken import nothing_taken
from guards.one_addition import one_addition
from guards.secrets import secrets
from guards.size import size
from guards.unknown_to_ledger import unknown_to_ledger

GUARDS: tuple[Guard, ...] = tuple(
    discreet(guard) for guard in (one_addition, nothing_taken, claim_holds, unknown_to_ledger, size, secrets)
)

__all__ = ["GUARDS"]
