"""New pages that are nearly old ones under another name, also where both are asked the example queries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set

from bot.model import Rule
from gates import rules
from gates.arrival import Arrival
from gates.finding import Finding
from gates.likeness import ALIKE, Content, content, frame, likeness, nameless
from gates.question import Question
from gates.welcome import Scene, finding


def twins(fresh: Iterable[Rule], arrived: Iterable[Arrival], examples: Iterable[str]) -> tuple[Question, ...]:
    """The new pages asked with the queries of the configured examples."""
    queries = dict.fromkeys(url.partition("?")[2] for url in examples if "?" in url)
    new = {rule.rule for rule in fresh if "<" not in rule.rule}
    asked = [one.question for one in arrived if one.question.method == "GET" and one.question.url in new]
    return tuple(
        Question("GET", f"{one.url}?{query}", one.host, one.locale, "twin", user=one.user)
        for one in asked
        for query in queries
    )


def repeated(fresh: Sequence[Rule], scene: Scene) -> Iterator[Finding]:
    """New pages, and their answers to the example queries, that are nearly what the site has already."""
    answered = [one for one in scene.questions if one.method == "GET" and one.why not in ("unknown", "static")]
    fine = [one for one in answered if scene.pages[one.key].status == 200]
    new = [one for one in fine if one.key not in scene.old and any(rules.reaches(rule, one.path) for rule in fresh)]
    for one in new:
        room = [other for other in fine if other.key in scene.old and _akin(one, other, scene)]
        shared = frame(scene.pages[other.key] for other in room)
        mine = nameless(_told(one, [one, *room, *new], scene, shared), one.path)
        for other in room:
            theirs = nameless(_told(other, room, scene, shared), other.path)
            alike = _askable(one, other) and likeness(mine, theirs)
            if alike >= ALIKE:
                seen = f"{alike:.0%} of the content of {other.shown}"
                yield finding("same-effect", one, f"is nearly {other.shown}", seen, "add what the site has not yet")
                break


def _told(one: Question, asked: Iterable[Question], scene: Scene, shared: Set[tuple[str, str]]) -> Content:
    """What the page says; to a query, what it says more than without one."""
    found = content(scene.pages[one.key], one.path, shared)
    if one.why not in ("twin", "example") or "?" not in one.url:
        return found
    plain = (other for other in asked if other.url == one.path and (other.locale, other.user) == (one.locale, one.user))
    return next((found - content(scene.pages[other.key], one.path, shared) for other in plain), found)


def _akin(one: Question, other: Question, scene: Scene) -> bool:
    """Pages of one kind, in one locale, for the same visitor."""
    kinds = (scene.pages[each.key].type for each in (one, other))
    return (one.locale, one.user, next(kinds)) == (other.locale, other.user, next(kinds))


def _askable(one: Question, other: Question) -> bool:
    """An answer to a query is compared with answers to the same query."""
    return one.why != "twin" or one.url.partition("?")[2] == other.url.partition("?")[2]
