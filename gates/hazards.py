"""What a rendered page must not gain: scripts of its own, code in attributes, foreign hosts, and innards that leak."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from selectolax.lexbor import LexborHTMLParser, LexborNode

from bot.model import WITHHELD

SCRIPTED = frozenset({"inline script", "handler attribute", "javascript: URL"})
FOREIGN = "foreign host"
SOURCE = "template source"
TRACEBACK = "traceback"
SECRET = "secret of this machine"  # noqa: S105 - what it is called
HUGE = "huge body"
LARGEST = 8 * 1024**2  # bytes of a body that are read; serve.py hands on one more of what is larger

_MARK = b"Traceback (most recent call last)"
_OPENING = re.compile(r"\{[{%#]")
_CLOSING = {"{{": "}}", "{%": "%}", "{#": "#}"}
_HANDLER = re.compile(rb"""[\s"'/]on[a-z]+\s*=""", re.IGNORECASE)
_VARYING = re.compile(r"""'[^']*'|"[^"]*"|`[^`]*`|(?<!\w)[^\W\d]*\d\w*""")
_BLANK = re.compile(r"[\s\x00-\x1f]")
_RUNNING = ("javascript:", "vbscript:", "data:text/html")
_DATA = re.compile(r"json|template|x-|text/plain|html", re.IGNORECASE)
_LOADING = "[src], [href], [action], [formaction], [srcset], [data], [poster], [background]"
_LINKED = ("src", "href", "action", "formaction", "data", "poster", "background")
_LOADED = frozenset({"src", "data", "poster", "background", "action", "formaction"})
_RELATIONS = frozenset({"stylesheet", "icon", "preload", "prefetch", "modulepreload", "manifest", "preconnect"})
_QUOTED = frozenset({"pre", "code", "textarea", "samp", "kbd", "script", "style"})


class Hazard(NamedTuple):
    """`exact` makes it the same one on another page; `shape` is it without its texts and numbers."""

    kind: str
    shown: str
    exact: str
    shape: str


def hazards(html: LexborHTMLParser, body: bytes, url: str) -> tuple[Hazard, ...]:
    """Every hazard of the page that was asked at that whole URL, in order, none twice."""
    found = [*_scripts(html, url), *_links(html, url), *leaks(body, url)]
    if _HANDLER.search(body):
        found += _handlers(html)
    if b"{{" in body or b"{%" in body or b"{#" in body:
        found += _sources(html)
    return tuple(sorted(set(found)))


def leaks(body: bytes, url: str) -> Iterator[Hazard]:
    """A traceback or a secret that a visitor can read; it belongs to the path where base shows it, if base does."""
    path = urlsplit(url).path
    if WITHHELD.encode() in body:
        yield Hazard(SECRET, WITHHELD, path, path)
    if _MARK in body:
        line = body[body.index(_MARK) :].decode("utf-8", "replace").strip().splitlines()
        yield Hazard(TRACEBACK, line[-1][:120] if len(line) > 1 else _MARK.decode(), path, path)


def huge(body: bytes, url: str) -> Iterator[Hazard]:
    """A body that was cut, and may have no end; it belongs to the path where base shows it, if base does."""
    if len(body) > LARGEST:
        path = urlsplit(url).path
        yield Hazard(HUGE, f"over {LARGEST} bytes", path, path)


def _scripts(html: LexborHTMLParser, url: str) -> Iterator[Hazard]:
    for node in html.css("script"):
        kind = node.attributes.get("type") or ""
        if node.attributes.get("src") is None and not _DATA.search(kind) and (text := node.text().strip()):
            yield _hazard("inline script", text)
            yield from (_foreign(url, found) for found in _outward(text, url))


def _links(html: LexborHTMLParser, url: str) -> Iterator[Hazard]:
    """URLs that run code, and hosts that the page loads from or sends to; a plain link out is no hazard."""
    for node in html.css(_LOADING):
        for name, value in node.attributes.items():
            if value and name == "srcset":
                yield from (_foreign(url, one) for one in _pictures(value) if _host(url, one))
            elif value and name in _LINKED:
                if _BLANK.sub("", value).lower().startswith(_RUNNING):
                    yield _hazard("javascript: URL", value)
                elif _loads(node, name) and _host(url, value):
                    yield _foreign(url, value)
    for node in html.css("meta[http-equiv]"):
        target = (node.attributes.get("content") or "").partition("=")[2].strip(" '\"")
        if (node.attributes.get("http-equiv") or "").lower() == "refresh" and target and _host(url, target):
            yield _foreign(url, target)


def _pictures(value: str) -> list[str]:
    return [one.split()[0] for one in value.split(",") if one.split()]


def _loads(node: LexborNode, name: str) -> bool:
    if name in _LOADED or node.tag == "base":
        return True
    return node.tag == "link" and bool(_RELATIONS & set((node.attributes.get("rel") or "").lower().split()))


def _outward(text: str, url: str) -> Iterable[str]:
    return (found for found in re.findall(r"""["'`](?:https?:)?//[^\s"'`<>]+""", text) if _host(url, found[1:]))


def _host(url: str, value: str) -> str:
    try:
        here, there = urlsplit(url).netloc, urlsplit(urljoin(url, value.strip(" \"'`")))
    except ValueError:
        return ""
    return there.netloc if there.scheme in ("http", "https", "ws", "wss") and there.netloc != here else ""


def _foreign(url: str, value: str) -> Hazard:
    host = _host(url, value)
    return Hazard(FOREIGN, host, host, host)


def _handlers(html: LexborHTMLParser) -> Iterator[Hazard]:
    for node in html.css("*"):
        for name, value in node.attributes.items():
            if name.startswith("on") and value:
                yield _hazard("handler attribute", f"{name}={value}")


def _sources(html: LexborHTMLParser) -> Iterator[Hazard]:
    """Braces of a template language in the text or in a link; quoted code may hold them."""
    for node in html.css("a[href], img[src], form[action], link[href]"):
        for name in ("href", "src", "action"):
            yield from map(_source, _braces(node.attributes.get(name) or ""))
    stack = [html.root] if html.root is not None else []
    while stack:
        node = stack.pop()
        if node.tag == "-text":
            yield from map(_source, _braces(node.text_content or ""))
        elif node.tag not in _QUOTED:
            stack.extend(node.iter(include_text=True))


def _braces(text: str) -> Iterator[str]:
    """Every pair with what stands in it; one that is never closed costs no look to the end of the text."""
    last = {opening: text.rfind(closing) for opening, closing in _CLOSING.items()}
    at = 0
    while found := _OPENING.search(text, at):
        at = found.start() + 1
        if last[found[0]] >= found.end():
            at = text.index(_CLOSING[found[0]], found.end()) + 2
            yield text[found.start() : at]


def _source(text: str) -> Hazard:
    return Hazard(SOURCE, text[:120], _digest(text), text[:2])


def _hazard(kind: str, text: str) -> Hazard:
    whole = " ".join(text.split())
    return Hazard(kind, whole[:120], _digest(whole), _digest(_VARYING.sub("#", whole)))


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:16]
