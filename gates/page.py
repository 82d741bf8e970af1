"""The facts about one answer of a site that a change must keep."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from hashlib import sha256

from bot.model import Response
from gates import feed, markup
from gates.part import Part

_MARKUP = frozenset({"text/html", "application/xhtml+xml"})


@dataclass(frozen=True, slots=True)
class PageFacts:
    """One answer, boiled down. `parts` counts each part; `links` are internal targets; `origin` is type and file."""

    status: int
    endpoint: str | None
    location: str
    type: str
    origin: tuple[str, str] | None
    where: str
    message: str
    parts: tuple[tuple[Part, int], ...]
    links: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The page's title, empty where it has none."""
        return next((part.value for part, _ in self.parts if part.kind == "title"), "")


def facts(response: Response, url: str) -> PageFacts:
    """What the answer at that whole URL was."""
    kind = response.header("content-type").partition(";")[0].strip().lower()
    parts, links = _parts(kind, response.body, url)
    origin = response.origin
    return PageFacts(
        status=response.status,
        endpoint=response.endpoint,
        location=markup.absolute(url, response.header("location")) if response.header("location") else "",
        type=kind,
        origin=(origin.type, origin.file) if origin else None,
        where=f"{origin.file}:{origin.line}" if origin and origin.file else "",
        message=" ".join(origin.message.split())[:200] if origin else "",
        parts=tuple(sorted(Counter(parts).items())),
        links=links,
    )


def shared(one: PageFacts, other: PageFacts) -> PageFacts:
    """`one` with only those parts that `other` has too: what is left out is volatile."""
    left = count(other)
    kept: list[tuple[Part, int]] = []
    for part, number in one.parts:
        both = min(number, left[part.identity])
        left[part.identity] -= both
        if both:
            kept.append((part, both))
    return replace(one, parts=tuple(kept))


def together(one: PageFacts, other: PageFacts) -> PageFacts:
    """`one` with each part as often as either of the two has it."""
    most = Counter(dict(one.parts)) | Counter(dict(other.parts))
    return replace(one, parts=tuple(sorted(most.items())), links=tuple(dict.fromkeys((*one.links, *other.links))))


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


def _parts(kind: str, body: bytes, url: str) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    try:
        if kind in _MARKUP:
            _, parts, links = markup.page(body, url)
            return parts, links
        if kind.endswith("xml"):
            parts = feed.xml(body, url)
            return parts, tuple({part.value for part in parts if part.kind == "link" and part.value.startswith("/")})
        if kind.endswith("json"):
            return feed.data(body, url), ()
    except (ValueError, RecursionError):
        return (_digest(body),), ()
    if kind.startswith("text/") and kind not in ("text/css", "text/javascript"):
        return tuple(
            Part("text", line.strip()) for line in body.decode("utf-8", "replace").splitlines() if line.strip()
        ), ()
    return ((_digest(body),), ()) if body else ((), ())


def _digest(body: bytes) -> Part:
    return Part("digest", sha256(body).hexdigest()[:16])
