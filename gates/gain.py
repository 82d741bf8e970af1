"""What a page gained that no page may gain: code and hosts that base has nowhere, innards, links that lead nowhere."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set

from bot.frozen import frozen
from gates import rules
from gates.finding import Finding
from gates.hazards import FOREIGN, HUGE, LARGEST, SCRIPTED, SECRET, SOURCE, TRACEBACK, Hazard
from gates.page import PageFacts
from gates.question import Question, Target
from gates.sweep import leads

_ASKED = 200
_TURNED_AWAY = (401, 403)
_ACCEPT = {
    FOREIGN: "load it from the site itself, or from a host that its pages use already",
    HUGE: f"let it end within {LARGEST} bytes",
    SOURCE: "let the template be rendered",
    TRACEBACK: "show visitors a page, not what the program was doing",
    SECRET: "show nothing that only the server knows",
}
_SHOWN = (SOURCE, TRACEBACK, SECRET)
_SCRIPT = "put code into a file of the site, and no code into attributes and links"


@frozen
class Known:
    """Hazards that are no news: those of base, and shapes that base itself fills in differently from time to time."""

    exact: Set[tuple[str, str]]
    shapes: Set[tuple[str, str]]
    scripts: bool = False

    def holds(self, hazard: Hazard) -> bool:
        """Whether the hazard is none that came with the change."""
        if self.scripts and hazard.kind in SCRIPTED:
            return True
        return (hazard.kind, hazard.exact) in self.exact or (hazard.kind, hazard.shape) in self.shapes


def known(pages: Iterable[PageFacts], hosts: Iterable[str], scripts: bool) -> Known:
    """What base's pages and the configuration allow."""
    found = {hazard for page in pages for hazard in page.hazards}
    variants: dict[tuple[str, str], set[str]] = defaultdict(set)
    for hazard in found:
        variants[hazard.kind, hazard.shape].add(hazard.exact)
    shapes = {shape for shape, exacts in variants.items() if len(exacts) > 1 or shape[0] == SOURCE}
    exact = {(hazard.kind, hazard.exact) for hazard in found} | {(FOREIGN, host) for host in hosts}
    return Known(exact, shapes, scripts)


def fresh(
    questions: Iterable[Question], base: Mapping[str, PageFacts], before: Iterable[Question],
    pages: Mapping[str, PageFacts],
) -> tuple[Target, ...]:  # fmt: skip
    """Targets that the candidate's pages have and base's have not, those left out that lead nowhere at base already."""
    asked = [one for one in before if one.key in base]
    old = {target for one in asked for target in _all(one, base[one.key])}
    alive = {(one.host, one.path) for one in asked if base[one.key].status < 400}
    debt = {(target.host, _path(target)) for target in old} - alive
    new = {target for one in questions if one.key in pages for target in _all(one, pages[one.key])} - old
    fine = sorted(one for one in new if (one.host, _path(one)) not in debt and not rules.harmful(one.url))
    return tuple(fine)[:_ASKED]


def nowhere(answers: Iterable[PageFacts]) -> bool:
    """Whether none of these answers is a page; a visitor who is turned away is somewhere."""
    statuses = [page.status for page in answers]
    return bool(statuses) and all(not status or (status >= 400 and status not in _TURNED_AWAY) for status in statuses)


def gained(
    questions: Iterable[Question], pages: Mapping[str, PageFacts], allowed: Known, dead: Mapping[Target, int]
) -> Iterator[Finding]:
    """Every page's new hazards and dead links."""
    for one in questions:
        if one.key in pages:
            page = pages[one.key]
            yield from (_hazard(one, page, hazard) for hazard in page.hazards if not allowed.holds(hazard))
            found = (target for target in dict.fromkeys(_all(one, page)) if target in dead)
            yield from (_dead(one, target, dead[target]) for target in found)


def _hazard(one: Question, page: PageFacts, hazard: Hazard) -> Finding:
    code = "inline-script" if hazard.kind in SCRIPTED else hazard.kind.replace(" ", "-")
    said = f"{one.shown} {'shows' if hazard.kind in _SHOWN else 'gained'} a {hazard.kind}"
    accept = _ACCEPT.get(hazard.kind, _SCRIPT)
    return Finding(code, one, page.where or one.shown, said, hazard.shown, accept, hazard.shown)


def _dead(one: Question, target: Target, status: int) -> Finding:
    said = f"{one.shown} links {target.url}, which leads nowhere"
    seen = f"{target.url} answers {status or 'nothing in time'}"
    return Finding("dead-link", one, one.shown, said, seen, "link only to what is there", f"{target.host}{target.url}")


def _all(one: Question, page: PageFacts) -> Iterator[Target]:
    """What the page leads to; the site's pages for paths that nobody has lead to themselves."""
    return leads(one, (*page.links, *page.loads) if one.why not in ("unknown", "method") else ())


def _path(target: Target) -> str:
    return target.url.partition("?")[0]
