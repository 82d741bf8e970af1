"""What a change brings: its claimed routes, its new rules and its new entries' pages, and what is wrong with them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from bot.model import Claim, Holdings, Objection
from gates import plan, rules
from gates.compare import Finding
from gates.page import PageFacts
from gates.plan import Ground
from gates.question import Question

_ROUTE = re.compile(
    r"^(?:(?P<method>GET|HEAD|POST|PUT|PATCH|DELETE)\s+)?(?P<url>/\S*)(?:\s*->\s*(?P<status>[1-5]\d\d))?$"
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """One new page and the status that it must answer with; None stands for any that is no error."""

    question: Question
    status: int | None


def arrivals(ground: Ground, base: Holdings, claim: Claim, siblings: Mapping[str, int]) -> tuple[Arrival, ...]:
    """Everything new that can be asked. `siblings` tells, for registry and locale, how the entries at base answer."""
    claimed = [*_claimed(ground, claim)]
    told = {arrival.question.url for arrival in claimed}
    return (*claimed, *_rules(ground, base, told), *_entries(ground, base, siblings, told))


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


def findings(
    arrived: Iterable[Arrival], pages: Mapping[str, PageFacts], missing: Iterable[PageFacts]
) -> Iterator[Finding]:
    """What is wrong with the new pages; `missing` are the pages that the site gives for paths that nobody has."""
    absent = [page for page in missing if page.parts]
    for arrival in arrived:
        one = arrival.question
        page = pages[one.key]
        seen = f"{page.origin[0]}: {page.message}" if page.origin else page.title
        fine = page.status == arrival.status if arrival.status else 200 <= page.status < 400
        if not fine:
            yield Finding(
                "new-page-fails",
                one,
                page.where or one.shown,
                f"{one.method} {one.shown} is new and answers {page.status or 'nothing in time'}",
                seen,
                f"let it answer {arrival.status or 'without an error'}, or claim another status",
            )
        elif page.status == 200 and any(page.parts == other.parts for other in absent):
            yield Finding(
                "new-page-is-missing",
                one,
                page.where or one.shown,
                f"{one.shown} is new and shows the error page",
                seen,
                "give it content of its own",
            )


def _claimed(ground: Ground, claim: Claim) -> Iterator[Arrival]:
    for route in claim.routes:
        found = _ROUTE.match(route.strip())
        if found:
            asked = Question(found["method"] or "GET", found["url"], _host(ground, found["url"]), why="claim")
            for one in ground.localised(asked):
                yield Arrival(one, int(found["status"] or 200))


def _rules(ground: Ground, base: Holdings, told: set[str]) -> Iterator[Arrival]:
    known = {(rule.host, rule.rule) for rule in base.rules if rules.asked(rule)}
    for rule in ground.rules:
        host = ground.host(rule)
        if (rule.host, rule.rule) not in known and host is not None:
            for url in rules.urls(rule, ground.site.locales):
                if url not in told:
                    yield from (Arrival(one, None) for one in ground.localised(Question("GET", url, host)))


def _entries(ground: Ground, base: Holdings, siblings: Mapping[str, int], told: set[str]) -> Iterator[Arrival]:
    fresh = new_keys(ground, base)
    for source in ground.site.sources:
        if source.page:
            for one in plan.pages_of(ground, source, fresh[source.name]):
                expected = siblings.get(f"{source.name} {one.locale}", 200)
                if expected == 200 and one.url not in told:
                    yield Arrival(one, 200)


def _host(ground: Ground, url: str) -> str:
    hosts = [ground.host(rule) for rule in ground.rules if rules.reaches(rule, url)]
    return next((host for host in hosts if host is not None), ground.server)
