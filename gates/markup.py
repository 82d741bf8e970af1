"""A rendered page, taken apart into items that can be counted, targets and hazards."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urljoin

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gates import head
from gates.address import absolute, internal
from gates.body import Walk
from gates.hazards import Hazard, hazards
from gates.part import Part


class Page(NamedTuple):
    """One page, taken apart: `links` lead visitors on, `loads` are what the browser fetches; both on this host.

    `robots` is what it forbids machines, `sent_on` whether it leaves for another page by itself.
    """

    parts: tuple[Part, ...]
    links: tuple[str, ...] = ()
    loads: tuple[str, ...] = ()
    hazards: tuple[Hazard, ...] = ()
    robots: str = ""
    sent_on: bool = False


def page(body: bytes, url: str) -> Page:
    """The page that was asked at that whole URL."""
    html = LexborHTMLParser(body)
    base = _base(html, url)
    walked = Walk(html.body, url, base).parts() if html.body is not None else ()
    return Page(
        (*head.parts(html, base), *walked),
        _targets(base, html.css("a[href], area[href]"), "href"),
        _targets(base, html.css("link[rel~=stylesheet], link[rel~=icon], link[rel~=alternate]"), "href")
        + _targets(base, html.css("img[src], script[src], source[src], iframe[src], video[src], audio[src]"), "src"),
        hazards(html, body, url),
        head.robots(html),
        head.sent_on(html),
    )


def _base(html: LexborHTMLParser, url: str) -> str:
    """What the page's links start from; a base on another host is a hazard, and no part of this site."""
    node = html.css_first("base[href]")
    target = absolute(url, node.attributes["href"] or "") if node is not None else ""
    return urljoin(url, target) if target.startswith("/") else url


def _targets(url: str, nodes: list[LexborNode], name: str) -> tuple[str, ...]:
    found = dict.fromkeys(internal(url, node.attributes.get(name) or "") for node in nodes)
    return tuple(target for target in found if target)
