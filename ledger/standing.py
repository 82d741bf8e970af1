"""Which of the keys that the history added the site still holds, and which ledger keys a claim stands for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from bot.model import Addition, Claim, Holdings
from ledger.contents import Added
from ledger.trailers import spell, split

URL_MAP, FEATURE = "url_map", "feature"


def standing(held: Holdings) -> tuple[str, ...]:
    """The ledger keys of all that a tree holds, the newest entry of each registry first where sites append."""
    return tuple(spell(name, entry.key) for name in held.names for entry in reversed(held.registry(name).entries))


def gone(added: Iterable[Added], held: Holdings) -> frozenset[str]:
    """Keys of registries whose entry is not there any more; a feature is gone with all URL rules that came with it."""
    here, rules, features = set(standing(held)), defaultdict(list), set()
    lost: set[str] = set()
    for one in added:
        registry = split(one.key)[0]
        if registry in held.names and one.key not in here:
            lost.add(one.key)
        if registry == URL_MAP:
            rules[one.commit].append(one.key)
        elif registry == FEATURE:
            features.add(one)
    lost |= {one.key for one in features if rules[one.commit] and lost.issuperset(rules[one.commit])}
    return frozenset(lost)


def claimed(claim: Claim, additions: Iterable[Addition]) -> tuple[str, ...]:
    """The ledger keys under which a claim is remembered: its key in each registry that its kind adds to.

    A kind that adds URL rules at most is a feature; one that is not declared is remembered under its own name.
    """
    kind = next((one for one in additions if one.kind == claim.kind), None)
    if kind is None:
        return (spell(claim.kind, claim.key),)
    return tuple(spell(name, claim.key) for name in kind.adds if name != URL_MAP) or (spell(FEATURE, claim.key),)
