"""What is wrong with what a change brings: pages that fail, have no title, copy the error page or stand alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from bot.frozen import frozen
from bot.model import Rule
from gates import rules
from gates.arrival import Arrival
from gates.finding import Finding
from gates.likeness import Content, content, same
from gates.page import PageFacts
from gates.question import Question, Target

_MARKUP = "text/html"


@frozen
class Scene:
    """The whole candidate as it answered: its questions, their pages, where pages lead, and the old questions' keys."""

    questions: Sequence[Question]
    pages: Mapping[str, PageFacts]
    links: Mapping[Target, Set[str]]
    old: Set[str]

    @property
    def missing(self) -> list[tuple[Content, str]]:
        """What the site shows for paths that nobody has, and where."""
        found = ((one, self.pages[one.key]) for one in self.questions if one.why == "unknown")
        placed = ((urlsplit(one.whole).path, page) for one, page in found if page.parts)
        return [(content(page, path, frozenset()), path) for path, page in placed]

    @property
    def titled(self) -> bool:
        """Whether most of the old pages have titles."""
        found = [self.pages[key] for key in self.old if key in self.pages]
        titles = [bool(page.title) for page in found if page.status == 200 and page.type == _MARKUP]
        return sum(titles) * 2 > len(titles)


def faults(arrived: Iterable[Arrival], scene: Scene) -> Iterator[Finding]:
    """The first fault of each new page."""
    missing, titled = scene.missing, scene.titled
    for arrival in arrived:
        one = arrival.question
        page = scene.pages[one.key]
        if page.status != arrival.status or (page.origin and page.status < 500):
            yield _fails(arrival, page)
        elif _circles(one, scene.pages):
            yield finding("new-page-circles", one, "redirects in a circle", page.location, "let it lead to a page")
        elif page.status == 200 and _is_one_of(page, one.path, missing):
            yield finding("new-page-is-missing", one, "shows the error page", page.title, "give it content of its own")
        elif page.status == 200 and page.type == _MARKUP and titled and not page.title:
            yield finding("new-page-untitled", one, "has no title", "no title", "give it a title, as other pages have")
        elif arrival.linked and not _found(one, scene.links):
            accept = "link to it from a page that visitors find, or list it in the claim's routes"
            yield finding("new-page-unlinked", one, "is not linked from any page", "no link", accept)


def gone(held: Iterable[Rule], now: Iterable[Rule], asked: Sequence[Question]) -> Iterator[Finding]:
    """Methods of base's rules that the candidate's URL map lacks, and that no question to base would miss."""
    left = {(rule.host, rule.rule, method) for rule in now for method in rule.methods}
    for rule in held:
        seen = any(one.method == "GET" and rules.reaches(rule, one.path) for one in asked)
        known = {"OPTIONS", "GET", "HEAD"} if seen else {"OPTIONS"}
        missing = [one for one in sorted({*rule.methods} - known) if (rule.host, rule.rule, one) not in left]
        if missing:
            what = f"{rules.name(rule)} no longer answers every method"
            one = Question("GET", rule.rule, rule.host)
            yield Finding("rule-gone", one, one.shown, what, f"gone: {', '.join(missing)}", "keep the rule")


def unseen(fresh: Iterable[Rule], scene: Scene) -> Iterator[Finding]:
    """New rules of which no page could be asked."""
    for rule in fresh:
        if not any(one.method == "GET" and rules.reaches(rule, one.path) for one in scene.questions):
            asked = Question("GET", rule.rule)
            accept = f"list one of its pages in the claim's routes, such as {rules.sample(rule)}"
            yield finding("new-rule-unseen", asked, "has no page that could be asked", "no link leads to one", accept)


def _circles(one: Question, pages: Mapping[str, PageFacts]) -> bool:
    """Whether following the redirect comes back to where it has been."""
    been, here = {one.url}, one
    while here.key in pages and 300 <= pages[here.key].status < 400:
        here = replace(here, url=pages[here.key].location)
        if here.url in been:
            return True
        been.add(here.url)
    return False


def _is_one_of(page: PageFacts, path: str, known: Iterable[tuple[Content, str]]) -> bool:
    return any(same((content(page, path, frozenset()), path), other) for other in known)


def _found(one: Question, links: Mapping[Target, Set[str]]) -> bool:
    """Whether a page other than itself leads there."""
    here = unquote(one.path)
    return any(
        unquote(target.url.partition("?")[0]) == here and any(unquote(path) != here for path in paths)
        for target, paths in links.items()
    )


def _fails(arrival: Arrival, page: PageFacts) -> Finding:
    one = arrival.question
    return Finding(
        "new-page-fails",
        one,
        page.where or one.shown,
        f"{one.method} {one.shown} is new and answers {page.status or 'nothing in time'}"
        + (f" to a {page.origin[0]}" if page.origin and page.status < 500 else ""),
        f"{page.origin[0]}: {page.message}" if page.origin else page.title,
        "handle the error where it rises" if page.status == arrival.status else _accepted(arrival),
    )


def _accepted(arrival: Arrival) -> str:
    return f"let it answer {arrival.status}, or claim another status"


def finding(code: str, one: Question, what: str, seen: str, accept: str) -> Finding:
    """A fault of a new page."""
    return Finding(code, one, one.shown, f"{one.shown} is new and {what}", seen, accept)
