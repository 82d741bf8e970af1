"""Page by page: what base did and the candidate does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from gates.finding import Finding
from gates.loss import Moves, listed, lost, words
from gates.page import PageFacts
from gates.part import Part
from gates.question import Question

_SHOWN = 5


def moves(
    base: Mapping[str, PageFacts], pages: Mapping[str, PageFacts], questions: Iterable[Question], rises: Iterable[int]
) -> Moves:
    """What the candidate's own sweep says about targets and links, and base's about list entries."""
    asked = [one for one in questions if one.key in pages]
    answering = {url for one in asked if 200 <= pages[one.key].status < 400 for url in (one.url, one.path)}
    by_url = {one.url: pages[one.key].links for one in asked}
    linked = Counter(target for targets in by_url.values() for target in targets)
    return Moves(answering, linked, frozenset(rise for rise in rises if rise > 0), listed(base.values()))


def compare(
    questions: Iterable[Question],
    base: Mapping[str, PageFacts],
    candidate: Mapping[str, PageFacts],
    allowed: Moves,
    changes: Iterable[str],
) -> tuple[Finding, ...]:
    """Every existing page's differences; pages in `changes` may lose what is found elsewhere on the site."""
    meant = {change.partition("?")[0] for change in changes}
    found: list[Finding] = []
    for one in questions:
        if one.key in base and one.key in candidate:
            before, now = base[one.key], candidate[one.key]
            framed = list(_frame(one, before, now))
            if framed or one.why == "static":
                found += framed or _file(one, before, now, one.path in meant)
            else:
                found += _taken(one, before, now, allowed, candidate, one.path in meant)
    return tuple(found)


def _frame(one: Question, before: PageFacts, now: PageFacts) -> Iterator[Finding]:
    """The first of: status, exception, endpoint, redirect target, content type."""
    rows = (
        ("status-changed", _status(before), _status(now), "answers with another status"),
        ("exception-changed", before.origin, now.origin, "raises something else than before"),
        ("endpoint-changed", before.endpoint, now.endpoint, "is answered by another view"),
        ("redirect-changed", before.location, now.location, "redirects elsewhere"),
        ("type-changed", before.type, now.type, "has another content type"),
    )
    for code, was, has, what in rows:
        if was != has:
            seen = f"{_shown(has)}; before: {_shown(was)}" + (f"; {_raised(now)}" if now.origin else "")
            said = f"{one.method} {one.shown} {what}"
            yield Finding(code, one, now.where or one.shown, said, seen, f"as before: {_shown(was)}")
            return


def _file(one: Question, before: PageFacts, now: PageFacts, meant: bool) -> Iterator[Finding]:
    if before.parts != now.parts and not meant:
        said = f"{one.shown} is a static file and has other content"
        accept = "leave the file as it was, or name it in the claim's changes"
        yield Finding("static-changed", one, one.shown, said, "another digest than before", accept)


def _taken(
    one: Question, before: PageFacts, now: PageFacts, allowed: Moves, pages: Mapping[str, PageFacts], meant: bool
) -> Iterator[Finding]:
    gone = lost(before, now, allowed)
    if meant:
        gone = tuple(part for part in gone if not _elsewhere(part, one, pages))
        if words(now) * 2 < words(before):
            yield Finding(
                "page-emptied",
                one,
                now.where or one.shown,
                f"{one.shown} lost most of its text",
                f"{words(now)} characters; before: {words(before)}",
                "keep what the page said",
            )
    if gone:
        told = "; ".join(dict.fromkeys(f"{part.kind} {part.value[:80]!r}" for part in gone[:_SHOWN]))
        more = f" and {len(gone) - _SHOWN} more" if len(gone) > _SHOWN else ""
        yield Finding(
            "page-lost",
            one,
            now.where or one.shown,
            f"{one.shown} lost what it had",
            told + more,
            "add to the page without taking anything from it",
        )


def _elsewhere(part: Part, one: Question, pages: Mapping[str, PageFacts]) -> bool:
    return any(
        found.identity == part.identity for key, page in pages.items() if key != one.key for found, _ in page.parts
    )


def _status(page: PageFacts) -> str:
    return str(page.status) if page.status else "nothing in time"


def _shown(fact: object) -> str:
    return " in ".join(str(part) for part in fact if part) if isinstance(fact, tuple) else str(fact or "none")


def _raised(page: PageFacts) -> str:
    return f"{page.origin[0] if page.origin else ''}: {page.message}" + (f" at {page.where}" if page.where else "")
