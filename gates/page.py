"""The facts about one answer of a site that a change must keep."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from hashlib import sha256

from bot.frozen import frozen
from bot.model import Response
from gates import feed, header, markup
from gates.address import absolute
from gates.hazards import Hazard, huge, leaks
from gates.markup import Page
from gates.part import Part

_SAMPLE = re.compile(rb"(?m)^([a-zA-Z_:][\w:]*(?:\{.*\})?)[ \t]+[\w.+-]+(?:[ \t]+-?\d+)?[ \t]*\r?$")
_MARKUP = frozenset({"text/html", "application/xhtml+xml"})


@frozen
class PageFacts:
    """One answer, boiled down. `parts` counts each part; `links` and `loads` are targets on its own host.

    `origin` is an exception's type and file, `where` its place; `hazards` are what a page must not gain.
    """

    status: int
    endpoint: str | None
    location: str
    type: str
    origin: tuple[str, str] | None
    where: str
    message: str
    parts: tuple[tuple[Part, int], ...]
    links: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    hazards: tuple[Hazard, ...] = ()

    @property
    def title(self) -> str:
        """The page's title, empty where it has none."""
        return next((part.value for part, _ in self.parts if part.kind == "title"), "")


def facts(response: Response, url: str, *, opaque: bool = False) -> PageFacts:
    """What the answer at that whole URL was; of an opaque one only that its bytes are the same."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    body = _steady(response.header("content-type").lower(), response.body)
    found = _opaque(response.body) if opaque else _read(kind, body, url)
    parts = found.parts if opaque else (*found.parts, *_told(response, found))
    origin = response.origin
    return PageFacts(
        status=response.status,
        endpoint=response.endpoint,
        location=absolute(url, response.header("location")) if response.header("location") else "",
        type=kind,
        origin=(origin.type, origin.file) if origin else None,
        where=f"{origin.file}:{origin.line}" if origin and origin.file else "",
        message=" ".join(origin.message.split())[:200] if origin else "",
        parts=tuple(sorted(Counter(parts).items())),
        links=found.links,
        loads=found.loads,
        hazards=tuple(sorted({*found.hazards, *huge(response.body, url)})),
    )


def shared(one: PageFacts, other: PageFacts) -> PageFacts:
    """`one` with only those parts that `other` has too, and with the links and hazards of both.

    What is left out is volatile; a link or a hazard that comes and goes is there.
    """
    left = count(other)
    kept: list[tuple[Part, int]] = []
    for part, number in one.parts:
        both = min(number, left[part.identity])
        left[part.identity] -= both
        if both:
            kept.append((part, both))
    return replace(
        one,
        parts=tuple(kept),
        links=tuple(dict.fromkeys((*one.links, *other.links))),
        loads=tuple(dict.fromkeys((*one.loads, *other.loads))),
        hazards=tuple(sorted({*one.hazards, *other.hazards})),
    )


def together(one: PageFacts, other: PageFacts) -> PageFacts:
    """`one` with each part as often as either of the two has it, and with the links and hazards of both."""
    most = Counter(dict(one.parts)) | Counter(dict(other.parts))
    return replace(
        one,
        parts=tuple(sorted(most.items())),
        links=tuple(dict.fromkeys((*one.links, *other.links))),
        loads=tuple(dict.fromkeys((*one.loads, *other.loads))),
        hazards=tuple(sorted({*one.hazards, *other.hazards})),
    )


def same_frame(one: PageFacts, other: PageFacts) -> bool:
    """Whether two answers agree in all but their content."""
    return (one.status, one.endpoint, one.location, one.type, one.origin) == (
        *(other.status, other.endpoint, other.location, other.type, other.origin),
    )


def count(one: PageFacts) -> Counter[tuple[str, str]]:
    """How often each part stands on the page, whatever entry it stands in."""
    total: Counter[tuple[str, str]] = Counter()
    for part, number in one.parts:
        total[part.identity] += number
    return total


def _told(response: Response, found: Page) -> tuple[Part, ...]:
    rules = (found.robots, response.header("x-robots-tag"))
    sent_on = found.sent_on or "=" in response.header("refresh")
    return (*header.parts(response), *header.listing(rules, sent_on))


def _steady(kind: str, body: bytes) -> bytes:
    """Metrics in Prometheus' format without their values, which tell of the process; their names and labels stay."""
    return _SAMPLE.sub(rb"\1", body) if kind.startswith("text/plain; version=") else body


def _read(kind: str, body: bytes, url: str) -> Page:
    try:
        if kind in _MARKUP:
            return markup.page(body, url)
        if kind.endswith("xml"):
            parts = feed.xml(body, url)
            links = {part.value for part in parts if part.kind == "link" and part.value.startswith("/")}
            return Page(parts, tuple(sorted(links)))
        if kind.endswith("json"):
            return Page(feed.data(body, url), hazards=tuple(leaks(body, url)))
    except (ValueError, RecursionError):
        return _opaque(body)
    if kind.startswith("text/") and kind not in ("text/css", "text/javascript"):
        lines = (line.strip() for line in body.decode("utf-8", "replace").splitlines())
        return Page(tuple(Part("text", line) for line in lines if line), hazards=tuple(leaks(body, url)))
    return _opaque(body)


def _opaque(body: bytes) -> Page:
    return Page((Part("digest", sha256(body).hexdigest()[:16]),) if body else ())
