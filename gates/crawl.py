"""Which further pages of a site are asked: those that its pages link, and those that its own sources mention."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from bot.model import Rule
from gates import rules
from gates.plan import Ground
from gates.question import Question, Target

_ALL = 600
_RULE = 60
_GUESSED = 5
_LITERAL = re.compile(rb"""["'`(](/[A-Za-z0-9_.~%/@:+-]{1,120})["'`)?#]""")


def crawled(ground: Ground, asked: Iterable[Question], links: Iterable[Target]) -> tuple[Question, ...]:
    """Linked pages that no question covers yet and that a rule could answer; bounded, for each rule and in all."""
    known = {question.target for question in asked}
    counts: Counter[str] = Counter()
    fresh: list[Question] = []
    for target in sorted(set(links) - known):
        rule = next((rule for rule in ground.rules if rules.reaches(rule, target.url)), None)
        if rule is not None and _harmless(ground, target) and counts[rule.rule] < _RULE:
            counts[rule.rule] += 1
            fresh.append(Question("GET", target.url, target.host, why="crawl", user=target.user))
    return tuple(dict.fromkeys(one for question in fresh[:_ALL] for one in ground.localised(question)))


def guessed(ground: Ground, texts: Iterable[bytes]) -> tuple[str, ...]:
    """Paths that stand as literals in the sources and that a rule with blanks could answer, some for each rule."""
    found: dict[str, None] = dict.fromkeys(sorted({url for text in texts for url in _literals(text)}))
    blank = [rule for rule in ground.rules if "<" in rule.rule]
    chosen = dict.fromkeys(url for rule in blank for url in _some(rule, found))
    return tuple(url for url in chosen if not rules.harmful(url) or url in ground.allow)


def lent(ground: Ground, asked: Iterable[Question]) -> tuple[str, ...]:
    """Paths for rules that nothing has reached, with values that stand in other rules' blanks of the same name."""
    paths = {one.path for one in asked if one.method == "GET" and one.why != "unknown"}
    blank = [rule for rule in ground.rules if "<" in rule.rule]
    found = {rule.rule: [values for path in sorted(paths) if (values := rules.filled(rule, path))] for rule in blank}
    pool: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name, value in (pair for filled in found.values() for values in filled for pair in values.items()):
        pool[name].append(value)
    urls = (url for rule in blank if not found[rule.rule] for url in rules.lent(rule, pool))
    return tuple(url for url in dict.fromkeys(urls) if not rules.harmful(url))


def _some(rule: Rule, urls: Iterable[str]) -> list[str]:
    return [url for url in urls if rules.reaches(rule, url)][:_GUESSED]


def _literals(text: bytes) -> Iterator[str]:
    return (found.decode() for found in _LITERAL.findall(text))


def _harmless(ground: Ground, target: Target) -> bool:
    return not rules.harmful(target.url) or target.url.partition("?")[0] in ground.allow
