"""Whether anything that a visitor can see differs from base."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce

from bot.model import Claim, Objection
from gates.page import PageFacts, count, same_frame, shared, together
from gates.question import Question


def differing(
    questions: Iterable[Question], base: Mapping[str, PageFacts], pages: Mapping[str, PageFacts]
) -> tuple[Question, ...]:
    """The pages that are not as they were, chance and clocks included."""
    both = [one for one in questions if one.key in base and one.key in pages]
    return tuple(one for one in both if not _alike(base[one.key], pages[one.key]))


def effective(before: Sequence[PageFacts], now: Sequence[PageFacts]) -> bool:
    """Whether every answer of the candidate has what no answer of base has, or lacks what they all have."""
    if not before or not now:
        return bool(before) != bool(now)
    if not any(same_frame(one, other) for one in before for other in now):
        return True
    gained = count(reduce(shared, now)) - count(reduce(together, before))
    lost = count(reduce(shared, before)) - count(reduce(together, now))
    return bool(gained or lost)


def none(claim: Claim) -> Objection:
    """The objection to a change without any effect."""
    return Objection(
        code="no-effect",
        node="gate",
        where="",
        subject=claim.key,
        what="nothing that a visitor can see differs from base",
        seen="no new key, and every page answers as before",
        accept="a change that shows on a page, or none at all",
    )


def _alike(one: PageFacts, other: PageFacts) -> bool:
    return same_frame(one, other) and count(one) == count(other)
