"""Guard: what the builder claims is what is observed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from bot.model import Objection, Rule
from bot.model.shape import PATH, PERHAPS_SLASH, SEGMENT, Blank, Shape
from guards.facts import URL_MAP, Facts

_ROUTE = re.compile(r"(?:(?P<method>[A-Z]+) )?(?P<path>/[^\s?#]*)(?:\?\S*)?(?: -> (?P<status>[1-5]\d\d))?")
_PART = re.compile(r"<(?:(?P<converter>\w+)(?:\([^>]{0,2000}\))?:)?\w+>")
_ABSENT = ("404", "405", "410")


def claim_holds(facts: Facts) -> Iterator[Objection]:
    """Objects to an unknown kind, another kind or key than observed, and routes that nothing answers."""
    claim, claimed = facts.snapshot.claim, facts.claimed
    if claimed is None:
        accept = "one of: " + ", ".join(one.kind for one in facts.additions)
        yield _objection("unknown-kind", claim.kind, "no such kind of addition is declared", claim.kind, accept)
    elif any(one.added for one in facts.differences) and facts.fitting and claimed not in facts.fitting:
        seen, what = " or ".join(one.kind for one in facts.fitting), "another kind of thing was added than claimed"
        yield _objection("claim-kind", claim.kind, what, seen, "a claim of what was added")
    else:
        yield from _key(facts, {name for name in claimed.adds if name != URL_MAP})
    for route in claim.routes:
        yield from _route(route, facts.candidate.rules)


def _key(facts: Facts, registries: set[str]) -> Iterator[Objection]:
    new = [key for one in facts.differences if one.name in registries for key in one.added]
    key = facts.snapshot.claim.key
    if new and key not in new:
        what, seen = "another key was added than claimed", f"claimed {key!r}, added {', '.join(new)}"
        yield _objection("claim-key", key, what, seen, "a claim whose key is the new key")


def _route(text: str, rules: tuple[Rule, ...]) -> Iterator[Objection]:
    found = _ROUTE.fullmatch(text)
    if not found:
        accept = 'a path from the root; where it is not GET 200, as "/s -> 301" or "POST /remind"'
        yield _objection("claim-route", text, "a claimed route cannot be read", text, accept)
    elif found["status"] not in _ABSENT and not any(_answers(rule, found) for rule in rules):
        accept = "only routes that a URL rule of the site answers"
        yield _objection("claim-route", text, "no URL rule answers a claimed route", text, accept, found["path"])


def _answers(rule: Rule, route: re.Match[str]) -> bool:
    """Whether the rule may answer; converters are taken widely, for the gate asks the route itself."""
    if (route["method"] or "GET") not in rule.methods:
        return False
    shape = _shape(rule.rule)
    return any(shape.filled(path) is not None for path in (route["path"], unquote(route["path"])))


def _shape(rule: str) -> Shape:
    pieces: list[str | Blank] = []
    at = 0
    for part in _PART.finditer(rule):
        within = part["converter"] in (None, "string", "int", "float", "uuid")
        pieces += (rule[at : part.start()], SEGMENT if within else PATH)
        at = part.end()
    return Shape([*pieces, rule[at:].rstrip("/"), PERHAPS_SLASH])


def _objection(code: str, subject: str, what: str, seen: str, accept: str, where: str = "") -> Objection:
    return Objection(code, "guards", where, subject, what, seen, accept)
