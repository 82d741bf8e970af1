"""What a rendered page has, as items that can be counted: headings, links, forms, fields, landmarks, meta, text."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gates.address import absolute, internal
from gates.hazards import Hazard, hazards
from gates.part import Part

_SKIPPED = frozenset({"script", "style", "template", "head", "-comment", "-doctype", "noscript"})
_INLINE = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd"),
        *(
            "label",
            "mark",
            "q",
            "s",
            "samp",
            "small",
            "span",
            "strong",
            "sub",
            "sup",
            "time",
            "u",
            "var",
            "wbr",
            "br",
            "input",
            "button",
        ),
    )
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LANDMARKS = frozenset({"nav", "main", "header", "footer", "aside", "search"})
_FRAMES = frozenset({"nav", "header", "footer"})
_ENTRIES = frozenset({"li", "tr", "dd", "dt"})
_CARDS = frozenset({"article", "div", "section", "figure"})
_FIELDS = frozenset({"input", "select", "textarea", "button"})
_TEXT = "-text"
_MARKS = " \t\r\n\f\xa0|,;:/·•–—-›»>"


class _Leave(Enum):
    """What the walk comes to the end of."""

    LINK = 1
    BLOCK = 2


def title(html: LexborHTMLParser) -> str:
    """The page's title, blanks collapsed."""
    node = html.css_first("title")
    return " ".join(node.text().split()) if node is not None else ""


class Page(NamedTuple):
    """One page, taken apart: `links` lead visitors on, `loads` are what the browser fetches; both on this host."""

    parts: tuple[Part, ...]
    links: tuple[str, ...]
    loads: tuple[str, ...]
    hazards: tuple[Hazard, ...]


def page(body: bytes, url: str) -> Page:
    """The page that was asked at that whole URL."""
    html = LexborHTMLParser(body)
    return Page(
        (*_head(html), *_parts(html, url)),
        _targets(url, html.css("a[href], area[href]"), "href"),
        _targets(url, html.css("link[rel~=stylesheet], link[rel~=icon], link[rel~=alternate]"), "href")
        + _targets(url, html.css("img[src], script[src], source[src], iframe[src], video[src], audio[src]"), "src"),
        hazards(html, body, url),
    )


def _targets(url: str, nodes: list[LexborNode], name: str) -> tuple[str, ...]:
    found = dict.fromkeys(internal(url, node.attributes.get(name) or "") for node in nodes)
    return tuple(target for target in found if target)


def _head(html: LexborHTMLParser) -> Iterator[Part]:
    if html.root is not None and html.root.attributes.get("lang"):
        yield Part("lang", str(html.root.attributes["lang"]))
    yield from (Part("title", text) for text in (title(html),) if text)
    for node in html.css("meta[name], meta[property], link[rel]"):
        named = node.attributes
        name = named.get("name") or named.get("property") or named.get("rel")
        yield Part("meta" if node.tag == "meta" else "relation", str(name))


def _parts(html: LexborHTMLParser, url: str) -> Iterator[Part]:
    """One walk over the body, without recursion: a page may be nested as deep as it likes."""
    text: list[tuple[str, int]] = []
    entry = form = ""
    link = links = 0
    owner: list[tuple[str, str]] = []
    stack: list[LexborNode | _Leave] = [html.body] if html.body is not None else []
    while stack:
        node = stack.pop()
        if node is _Leave.LINK:
            link = 0
        elif node is _Leave.BLOCK:
            yield from _block(text, entry)
            entry, form = owner.pop()
        elif node.tag == _TEXT:
            text.append((node.text_content or "", link))
        elif node.tag not in _SKIPPED:
            if node.tag == "a":
                link = links = links + 1
                stack.append(_Leave.LINK)
            elif node.tag not in _INLINE:
                yield from _block(text, entry)
                owner.append((entry, form))
                entry = _entry(node, url) or entry
                form = (node.attributes.get("action") or url) if node.tag == "form" else form
                stack.append(_Leave.BLOCK)
            yield from _items(node, url, entry, form)
            stack.extend(reversed(list(node.iter(include_text=True))))


def _block(text: list[tuple[str, int]], entry: str) -> Iterator[Part]:
    """The block's text as one part; a row of links, with only marks between them, is as many as there are links."""
    row = any(link for _, link in text) and all(link or not piece.strip(_MARKS) for piece, link in text)
    pieces: dict[int, list[str]] = {}
    for piece, link in text:
        pieces.setdefault(link if row else 1, []).append(piece)
    text.clear()
    for link, found in pieces.items():
        if link and (words := " ".join("".join(found).split())):
            yield Part("text", words, entry)


def _entry(node: LexborNode, url: str) -> str:
    """The target of the list entry that starts here; navigation is none, for it belongs to every page."""
    if not (node.tag in _ENTRIES or (node.tag in _CARDS and _repeated(node))) or _framed(node):
        return ""
    targets = [internal(url, link.attributes.get("href") or "") for link in node.css("a[href]")]
    return targets[0] if targets and (node.tag not in ("div", "section") or len(set(targets)) == 1) else ""


def _repeated(node: LexborNode) -> bool:
    """Whether a brother of the same make stands next to it: one article is a page's content, several are a list."""
    for step in ("prev", "next"):
        other = getattr(node, step)
        while other is not None and not other.is_element_node:
            other = getattr(other, step)
        if other is not None and (other.tag, other.attributes.get("class")) == (node.tag, node.attributes.get("class")):
            return True
    return False


def _framed(node: LexborNode) -> bool:
    above = node.parent
    while above is not None and above.tag not in _FRAMES:
        above = above.parent
    return above is not None


def _items(node: LexborNode, url: str, entry: str, form: str) -> Iterator[Part]:
    tag, named = node.tag or "", node.attributes
    if tag in _HEADINGS:
        yield Part("heading", f"{tag} {_words(node)}", entry)
    elif tag == "a" and named.get("href"):
        target = absolute(url, named["href"] or "")
        near = target if (named.get("rel") or "") in ("next", "prev") else ""
        yield Part("link", f"{target} {_words(node)}", entry or near)
    elif tag == "form":
        yield Part(
            "form", f"{(named.get('method') or 'get').upper()} {absolute(url, named.get('action') or url)}", entry
        )
    elif tag in _FIELDS and named.get("name"):
        yield Part("field", f"{absolute(url, form or url)} {tag} {named['name']}", entry)
    elif tag == "img":
        yield Part("image", absolute(url, named.get("src") or ""), entry)
    if tag in _LANDMARKS or named.get("role"):
        yield Part("landmark", named.get("role") or tag, entry)


def _words(node: LexborNode) -> str:
    return " ".join(node.text().split())
