"""Is it one thing, and is it new? One guard a file; each is a pure function from facts to objections."""

from __future__ import annotations

from guards.claim_holds import claim_holds
from guards.conflict_markers import conflict_markers
from guards.discretion import discreet
from guards.duplicates import duplicates
from guards.facts import Guard
from guards.fields_once import fields_once
from guards.invisible import invisible
from guards.nothing_taken import nothing_taken
from guards.old_views import old_views
from guards.one_addition import one_addition
from guards.reviewer_text import reviewer_text
from guards.secrets import secrets
from guards.siblings import siblings
from guards.size import size
from guards.static_rules import static_rules
from guards.suppressions import suppressions
from guards.tried_before import tried_before
from guards.unknown_to_ledger import unknown_to_ledger
from guards.views_agree import views_agree
from guards.wired_as_before import wired_as_before

_ALL: tuple[Guard, ...] = (
    one_addition,
    nothing_taken,
    views_agree,
    fields_once,
    claim_holds,
    unknown_to_ledger,
    tried_before,
    duplicates,
    siblings,
    size,
    secrets,
    invisible,
    conflict_markers,
    suppressions,
    static_rules,
    wired_as_before,
    old_views,
    reviewer_text,
)
GUARDS: tuple[Guard, ...] = tuple(discreet(guard) for guard in _ALL)

__all__ = ["GUARDS"]
