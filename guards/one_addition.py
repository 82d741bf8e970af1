"""Guard: the change is exactly one declared addition."""

from __future__ import annotations

from collections.abc import Iterator

from bot.model import Objection, Range
from guards.facts import Difference, Facts

SHOWN = 6


def one_addition(facts: Facts) -> Iterator[Objection]:
    """Objects when what was added is none of the declared kinds: nothing, too much, or two kinds at once."""
    grown = [one for one in facts.differences if one.added]
    if not grown and not _may_add_nothing(facts):
        yield _objection(facts, "nothing-added", "nothing was added to any registry", "no new key")
    elif not facts.fitting:
        yield _several(facts, grown)


def _may_add_nothing(facts: Facts) -> bool:
    """A feature without a new route is left to the gates, but an empty change is no feature."""
    claimed = facts.claimed
    return bool(facts.snapshot.paths and claimed and claimed in facts.fitting)


def _several(facts: Facts, grown: list[Difference]) -> Objection:
    names = {one.name for one in grown}
    naming = [one for one in facts.additions if names <= {name for name, span in one.adds.items() if span.most}]
    seen = "; ".join(f"{one.name}: {_listed(one.added)}" for one in grown)
    if naming:
        counts = {one.name: len(one.added) for one in grown}
        few = any(counts.get(name, 0) < span.least for name, span in naming[0].adds.items())
        code = "too-few" if few else "too-many"
        what = f"{'less' if few else 'more'} was added than one thing"
    elif len(names) > 1:
        code, what = "two-kinds", "things of more than one kind were added"
    else:
        code, what = "undeclared", "this registry is in no declared addition"
    return _objection(facts, code, what, seen, grown[0])


def _objection(facts: Facts, code: str, what: str, seen: str, at: Difference | None = None) -> Objection:
    subject = at.name if at else facts.snapshot.claim.kind
    accept = "exactly one of: " + "; ".join(f"{one.kind} ({_spans(one.adds)})" for one in facts.additions)
    return Objection(code, "guards", facts.place(at.added[-1]) if at else "", subject, what, seen, accept)


def _spans(adds: dict[str, Range]) -> str:
    return ", ".join(f"{_count(span)} new in {name}" for name, span in adds.items())


def _count(span: Range) -> str:
    return str(span.least) if span.least == span.most else f"{span.least} to {span.most}"


def _listed(keys: tuple[str, ...]) -> str:
    more = f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else ""
    return f"{len(keys)} new ({', '.join(keys[:SHOWN])}{more})"
