"""What a page's body has, as items that can be counted: headings, links, forms, fields, landmarks, media, text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum

from selectolax.lexbor import LexborNode

from gates.address import absolute
from gates.hiding import UNSEEN, hides
from gates.leading import Leading
from gates.part import Part

_SKIPPED = frozenset({"script", "style", "template", "head", "-comment", "-doctype", "noscript"})
_INLINE = frozenset(
    (
        *("a", "abbr", "b", "bdi", "bdo", "br", "button", "cite", "code", "data", "del", "dfn", "em", "font", "i"),
        *("img", "input", "ins", "kbd", "label", "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup"),
        *("time", "u", "var", "wbr"),
    )
)
_HEADINGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_LANDMARKS = frozenset({"nav", "main", "header", "footer", "aside", "search"})
_FRAMES = frozenset({"nav", "header", "footer"})
_FIELDS = frozenset({"input", "select", "textarea", "button"})
_SOURCES = {"iframe": "src", "video": "src", "audio": "src", "source": "src", "embed": "src", "object": "data"}
_SPOKEN = ("alt", "aria-label", "placeholder", "title")
_CHOSEN = frozenset({"checkbox", "radio", "hidden"})
_PRESSED = frozenset({"submit", "button", "reset"})
_TEXT = "-text"
_DEEPEST = 8  # headings and links within one another whose words are read, for the outer ones' hold the inner ones'
_MARKS = " \t\r\n\f\xa0|,;:/·•–—-›»>"

Named = Mapping[str, str | None]


class _Leave(Enum):
    """What the walk comes to the end of."""

    LINK = 1
    BLOCK = 2
    HIDDEN = 3


class Walk:
    """One walk over the body, without recursion: a page may be nested as deep as it likes.

    `base` is what relative links start from, `url` the page itself. Navigation is no list entry, for it belongs to
    every page.
    """

    def __init__(self, body: LexborNode, url: str, base: str) -> None:
        self._url, self._base = url, base
        self._leading = Leading(body, base)
        self._text: list[tuple[str, int]] = []
        self._entry = self._form = ""
        self._link = self._links = self._hidden = self._spoken = 0
        self._framed = False
        self._owner: list[tuple[str, str, bool, int]] = []
        self._stack: list[LexborNode | _Leave] = [body]

    def parts(self) -> Iterator[Part]:
        """Every part below the body, in order."""
        while self._stack:
            node = self._stack.pop()
            if isinstance(node, _Leave):
                yield from self._leave(node)
            elif node.tag == _TEXT:
                self._text.append((node.text_content or "", self._link))
            elif node.tag not in _SKIPPED:
                yield from self._enter(node, node.tag or "", node.attributes)
                self._stack.extend(reversed(list(node.iter(include_text=True))))

    def _leave(self, node: _Leave) -> Iterator[Part]:
        if node is _Leave.LINK:
            self._link = 0
            self._spoken -= 1
        elif node is _Leave.HIDDEN:
            self._hidden -= 1
        else:
            yield from self._block()
            self._entry, self._form, self._framed, self._spoken = self._owner.pop()

    def _enter(self, node: LexborNode, tag: str, named: Named) -> Iterator[Part]:
        hidden = hides(tag, named)
        if hidden or (tag not in _INLINE):
            yield from self._block()
            self._owner.append((self._entry, self._form, self._framed, self._spoken))
            if hidden:
                self._hidden += 1
                self._stack.append(_Leave.HIDDEN)
            self._entry = ("" if self._framed else self._leading.entry(node)) or self._entry
            self._framed = self._framed or tag in _FRAMES
            self._form = (named.get("action") or self._url) if tag == "form" else self._form
            self._stack.append(_Leave.BLOCK)
        self._spoken += tag == "a" or tag in _HEADINGS
        if tag == "a":
            self._link = self._links = self._links + 1
            self._stack.append(_Leave.LINK)
        for part in (*self._items(node, tag, named), *self._fields(tag, named)):
            yield self._seen(part)

    def _block(self) -> Iterator[Part]:
        """The block's text as one part; a row of links, with only marks between them, is as many as there are links."""
        text = self._text
        row = any(link for _, link in text) and all(link or not piece.strip(_MARKS) for piece, link in text)
        pieces: dict[int, list[str]] = {}
        for piece, link in text:
            pieces.setdefault(link if row else 1, []).append(piece)
        text.clear()
        for link, found in pieces.items():
            if link and (words := " ".join("".join(found).split())):
                yield self._seen(Part("text", words, self._entry))

    def _seen(self, part: Part) -> Part:
        return part._replace(kind=f"{UNSEEN}{part.kind}") if self._hidden else part

    def _items(self, node: LexborNode, tag: str, named: Named) -> Iterator[Part]:
        entry = self._entry
        if tag in _HEADINGS:
            yield Part("heading", f"{tag} {self._words(node)}", entry)
        elif tag in ("a", "area") and named.get("href"):
            target = absolute(self._base, named["href"] or "")
            near = target if (named.get("rel") or "") in ("next", "prev") else ""
            yield Part("link", f"{target} {self._words(node)}", entry or near)
        elif tag == "img":
            yield Part("image", absolute(self._base, named.get("src") or ""), entry)
        elif tag in _SOURCES and named.get(_SOURCES[tag]):
            yield Part("media", f"{tag} {absolute(self._base, named[_SOURCES[tag]] or '')}", entry)
        if tag in _LANDMARKS or named.get("role"):
            yield Part("landmark", named.get("role") or tag, entry)
        for name in _SPOKEN:
            if named.get(name):
                yield Part("label", f"{name} {' '.join((named[name] or '').split())}", entry)

    def _words(self, node: LexborNode) -> str:
        return " ".join(node.text().split()) if self._spoken <= _DEEPEST else ""

    def _fields(self, tag: str, named: Named) -> Iterator[Part]:
        """Forms and fields, with the values that a visitor chooses from or sends unseen."""
        action, entry = absolute(self._base, self._form or self._url), self._entry
        kind = (named.get("type") or "").lower()
        if tag == "form":
            method, coded = (named.get("method") or "get").upper(), (named.get("enctype") or "").lower()
            yield Part("form", f"{method} {action} {coded}".rstrip(), entry)
        elif tag in _FIELDS and named.get("name"):
            yield Part("field", f"{action} {tag} {named['name']}", entry)
            if tag == "input" and kind in _CHOSEN:
                yield Part("choice", f"{action} {named['name']}={named.get('value') or ''}", entry)
        elif tag == "option" and named.get("value") is not None:
            yield Part("choice", f"{action} option={named['value']}", entry)
        if tag == "input" and kind in _PRESSED and named.get("value"):
            yield Part("label", f"button {named['value']}", entry)
        if tag in _FIELDS and named.get("formaction"):
            yield Part("form", f"button {absolute(self._base, named['formaction'] or '')}", entry)
