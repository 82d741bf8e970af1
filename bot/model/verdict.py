"""What build, scope, guards, gate, review and fix return; every verdict quotes the tree that it judged."""

from __future__ import annotations

from bot.frozen import frozen
from bot.model.change import Claim
from bot.model.objection import Evidence, Objection


@frozen
class Built:
    """The builder ended its visit: with a claim, with a reason to add nothing, or with neither."""

    claim: Claim | None
    declined: str = ""


@frozen
class Repaired:
    """The fixer ended its visit; it began on the tree `rejected`, and may have touched only `may_touch`."""

    claim: Claim
    rejected: str
    may_touch: tuple[str, ...]


@frozen
class ScopeObjections:
    """The workspace may not become a snapshot, or the snapshot is out of bounds; `tree` is None where none was made."""

    tree: str | None
    objections: tuple[Objection, ...]
    claim: Claim | None = None


@frozen
class GuardsPassed:
    """It is one thing and new. `adds` are its ledger keys, `registry/key`, in canonical text."""

    tree: str
    adds: tuple[str, ...]
    evidence: tuple[Evidence, ...] = ()


@frozen
class GuardObjections:
    """It is not one thing, not new, or not well formed."""

    tree: str
    objections: tuple[Objection, ...]


@frozen
class GatePassed:
    """The site still works, with what was covered."""

    tree: str
    evidence: tuple[Evidence, ...]


@frozen
class GateObjections:
    """Something that worked at base does not work now."""

    tree: str
    objections: tuple[Objection, ...]
    evidence: tuple[Evidence, ...] = ()


@frozen
class ReviewApproved:
    """The reviewer approves of the tree."""

    tree: str
    reasons: tuple[str, ...]


@frozen
class ReviewObjections:
    """The reviewer rejects the tree."""

    tree: str
    objections: tuple[Objection, ...]


@frozen
class ReviewUnreadable:
    """The reviewer was asked twice and neither answer could be read."""

    tree: str
    reason: str


Review = ReviewApproved | ReviewObjections | ReviewUnreadable
