"""What a page says in its head: its languages, title, meta, relations, and whether machines may list it."""

from __future__ import annotations

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from gates import feed
from gates.address import absolute
from gates.part import Part

_ROBOTS = frozenset({"robots", "googlebot", "bingbot"})
_NEAR = frozenset({"next", "prev"})
_LINKED = "application/ld+json"
_LARGEST = 100_000


def title(html: LexborHTMLParser) -> str:
    """The page's title, blanks collapsed."""
    node = html.css_first("title")
    return " ".join(node.text().split()) if node is not None else ""


def parts(html: LexborHTMLParser, url: str) -> Iterator[Part]:
    """One part for each."""
    if html.root is not None:
        named = html.root.attributes
        yield from (Part(name, str(named[name])) for name in ("lang", "dir") if named.get(name))
    yield from (Part("title", text) for text in (title(html),) if text)
    yield from _meta(html)
    yield from _relations(html, url)
    yield from _scripts(html, url)


def robots(html: LexborHTMLParser) -> str:
    """What the page forbids those that list it."""
    nodes = html.css("meta[name]")
    found = (one for one in nodes if (one.attributes["name"] or "").lower() in _ROBOTS)
    return ",".join(one.attributes.get("content") or "" for one in found)


def sent_on(html: LexborHTMLParser) -> bool:
    """Whether the page leaves for another one by itself."""
    nodes = html.css("meta[http-equiv]")
    found = (one.attributes for one in nodes if (one.attributes["http-equiv"] or "").lower() == "refresh")
    return any("=" in (named.get("content") or "") for named in found)


def _meta(html: LexborHTMLParser) -> Iterator[Part]:
    for node in html.css("meta"):
        named = node.attributes
        name = named.get("name") or named.get("property") or named.get("itemprop")
        if named.get("charset"):
            yield Part("meta", f"charset {(named['charset'] or '').lower()}")
        elif name and name.lower() not in _ROBOTS:
            yield Part("meta", f"{name} {_words(named.get('content'))}".rstrip())


def _relations(html: LexborHTMLParser, url: str) -> Iterator[Part]:
    """Relations with their targets; a style sheet is the same one whatever version its query names."""
    for node in html.css("link[rel]"):
        named = node.attributes
        kinds = sorted((named["rel"] or "").lower().split())
        target = absolute(url, named.get("href") or "") if named.get("href") else ""
        shown = target.partition("?")[0] if {"stylesheet", "icon"} & set(kinds) else target
        told = f"{' '.join(kinds)} {named.get('hreflang') or ''} {shown}"
        yield Part("relation", " ".join(told.split()), target if _NEAR & set(kinds) else "")


def _scripts(html: LexborHTMLParser, url: str) -> Iterator[Part]:
    """Programs by their files, inline ones by their number; data about the page value for value."""
    for node in html.css("script"):
        named = node.attributes
        if named.get("src"):
            yield Part("script", absolute(url, named["src"] or "").partition("?")[0])
        elif (named.get("type") or "").lower() == _LINKED:
            yield from _data(node.text(), url)
        else:
            yield Part("script", "inline")


def _data(text: str, url: str) -> Iterator[Part]:
    try:
        found = feed.data(text[:_LARGEST].encode(), url)
    except (ValueError, RecursionError):
        found = ()
    yield from (Part("data", part.value, part.entry) for part in found if part.kind != "key")


def _words(text: str | None) -> str:
    return " ".join((text or "").split())
