"""What a change brings: its claimed routes, its new rules and its new entries' pages."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from bot.frozen import frozen
from bot.model import Claim, Holdings, Objection, Rule
from gates import plan, rules
from gates.page import PageFacts
from gates.plan import Ground
from gates.question import Question, Target

_ROUTE = re.compile(
    r"^(?:(?P<method>GET|HEAD|POST|PUT|PATCH|DELETE)\s+)?(?P<url>/\S*)(?:\s*->\s*(?P<status>[1-5]\d\d))?$"
)


@frozen
class Arrival:
    """One new page, the status that it must answer with, and whether another page must link to it."""

    question: Question
    status: int
    linked: bool = False


def arrivals(ground: Ground, base: Holdings, claim: Claim, siblings: Mapping[str, int]) -> tuple[Arrival, ...]:
    """Everything new that can be asked. `siblings` tells, for registry and locale, how the entries at base answer."""
    claimed = [*_claimed(ground, claim)]
    told = {arrival.question.url for arrival in claimed}
    return (*claimed, *_rules(ground, base, told), *_entries(ground, base, siblings, told))


def new_rules(ground: Ground, base: Holdings) -> tuple[Rule, ...]:
    """The rules that answer GET and that base has not, those that look harmful left out."""
    known = {(rule.host, rule.rule) for rule in base.rules if rules.asked(rule)}
    return tuple(rule for rule in ground.rules if (rule.host, rule.rule) not in known)


def followed(ground: Ground, fresh: Iterable[Rule], links: Iterable[Target], told: Iterable[str]) -> Iterator[Arrival]:
    """Pages of new rules with blanks, as the candidate's own pages link them."""
    blank, known = [rule for rule in fresh if "<" in rule.rule], set(told)
    for target in sorted(set(links)):
        if target.url not in known and any(rules.reaches(rule, target.url) for rule in blank):
            asked = Question("GET", target.url, target.host, why="crawl", user=target.user)
            yield from (Arrival(one, 200) for one in ground.localised(asked))


def new_keys(ground: Ground, base: Holdings) -> dict[str, tuple[str, ...]]:
    """For each registry with pages, the keys that the candidate has and base has not."""
    found: dict[str, tuple[str, ...]] = {}
    for name in ground.holdings.names:
        known = {entry.key for entry in base.registry(name).entries} if name in base.names else set()
        found[name] = tuple(one.key for one in ground.holdings.registry(name).entries if one.key not in known)
    return found


def siblings(ground: Ground, pages: Mapping[str, PageFacts]) -> dict[str, int]:
    """How most pages of each registry answer at base, by `registry locale`."""
    answers: dict[str, Counter[int]] = {}
    for source in ground.site.sources:
        if source.page:
            keys = (entry.key for entry in ground.holdings.registry(source.name).entries)
            for one in plan.pages_of(ground, source, keys):
                if one.key in pages:
                    answers.setdefault(f"{source.name} {one.locale}", Counter())[pages[one.key].status] += 1
    return {name: count.most_common(1)[0][0] for name, count in answers.items()}


def astray(ground: Ground, pages: Mapping[str, PageFacts]) -> str:
    """Which registry's entries are nowhere at base, with what mends it: no page of a new one could be looked at."""
    for source in ground.site.sources:
        keys = [entry.key for entry in ground.holdings.registry(source.name).entries] if source.page else []
        asked = [one for one in plan.pages_of(ground, source, keys) if one.key in pages] if keys else []
        if asked and all(pages[one.key].status in (404, 410) for one in asked):
            return (
                f"not one of {len(asked)} pages of registry {source.name} is there: {asked[0].url} answers"
                f' {pages[asked[0].key].status}; mend page = "{source.page}" in plusone.toml'
            )
    return ""


def unreadable(claim: Claim) -> Iterator[Objection]:
    """Claimed routes that are no routes."""
    for route in claim.routes:
        if _ROUTE.match(route.strip()) is None:
            yield Objection(
                "claim-route",
                "gate",
                "",
                route,
                "a claimed route cannot be read",
                route,
                'write it as "/path", "/path -> 301" or "POST /path"',
            )


def _claimed(ground: Ground, claim: Claim) -> Iterator[Arrival]:
    for route in claim.routes:
        found = _ROUTE.match(route.strip())
        if found:
            asked = Question(found["method"] or "GET", found["url"], plan.host_of(ground, found["url"]), why="claim")
            for one in ground.localised(asked):
                yield Arrival(one, int(found["status"] or 200))


def _rules(ground: Ground, base: Holdings, told: set[str]) -> Iterator[Arrival]:
    for rule in new_rules(ground, base):
        host = ground.host(rule)
        urls = ground.urls(rule) if host is not None else ()
        asked = (Question("GET", url, host or "") for url in urls if url not in told)
        yield from (Arrival(one, 200, linked=True) for question in asked for one in ground.localised(question))


def _entries(ground: Ground, base: Holdings, siblings: Mapping[str, int], told: set[str]) -> Iterator[Arrival]:
    fresh = new_keys(ground, base)
    for source in ground.site.sources:
        if source.page:
            for one in plan.pages_of(ground, source, fresh[source.name]):
                expected = siblings.get(f"{source.name} {one.locale}", 200)
                if expected == 200 and one.url not in told and not one.user:
                    yield Arrival(one, 200)
