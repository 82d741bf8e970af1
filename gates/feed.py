"""What a feed, a sitemap or a JSON answer has, as items that can be counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from xml.etree.ElementTree import Element, ParseError, fromstring

from gates.address import absolute
from gates.part import Part

_LONGEST = 400
_ENTRIES = frozenset({"item", "entry", "url"})
_LINKS = frozenset({"link", "loc"})
_NAMED = ("url", "link", "href", "id", "external_url")


def xml(body: bytes, url: str) -> tuple[Part, ...]:
    """One part for each leaf, link and attribute. Raises ValueError for what is not XML or declares a document type."""
    if b"<!DOCTYPE" in body or b"<!ENTITY" in body:
        raise ValueError("a document type is not read")
    try:
        return tuple(_leaves(fromstring(body), url))  # noqa: S314 - no document type, so no entity to expand
    except (ParseError, LookupError) as error:  # of an encoding that nobody knows
        raise ValueError(str(error)) from error


def _leaves(root: Element, url: str) -> Iterator[Part]:
    stack: list[tuple[Element, str]] = [(root, "")]
    while stack:
        element, entry = stack.pop()
        if _name(element) in _ENTRIES:
            entry = next((found for child in element if (found := _link(child, url))), entry)
        text = " ".join((element.text or "").split())
        link = _link(element, url)
        if link:
            yield Part("link", link, entry)
        elif text:
            yield Part("text", f"{_name(element)} {text}", entry)
        named = (pair for pair in element.items() if not (link and pair[0] == "href"))
        yield from (Part("attribute", f"{_name(element)} {name}={value}", entry) for name, value in named)
        stack.extend((child, entry) for child in reversed(element))


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _link(element: Element, url: str) -> str:
    if _name(element) not in _LINKS:
        return ""
    target = element.get("href") or (element.text or "").strip()
    return absolute(url, target) if target else ""


def data(body: bytes, url: str) -> tuple[Part, ...]:
    """One part for each value in a JSON answer, named by the keys above it. Raises ValueError for what is not JSON."""
    parts: list[Part] = []
    stack: list[tuple[object, str, str]] = [(json.loads(body), "", "")]
    while stack:
        value, path, entry = stack.pop()
        if isinstance(value, list):
            below = _below(f"{path}[]")
            stack.extend((item, below, _target(item, url) or entry) for item in reversed(value))
        elif isinstance(value, dict):
            paths = {key: _below(f"{path}.{key}") for key in value}
            parts.extend(Part("key", paths[key], entry) for key in value)
            stack.extend((item, paths[key], entry) for key, item in reversed(value.items()))
        else:
            parts.append(Part("text", f"{path} {_whole(json.dumps(value, ensure_ascii=False))}", entry))
    return tuple(parts)


def _below(path: str) -> str:
    """The path in words; one so long that it would be most of each part below it by its end and a digest."""
    whole = _whole(path)
    return whole if len(whole) <= _LONGEST else f"{sha256(whole.encode()).hexdigest()[:16]}…{whole[-100:]}"


def _whole(text: str) -> str:
    """Half characters, which JSON can spell and nothing can write down, as escapes."""
    return text.encode("utf-8", "backslashreplace").decode()


def _target(item: object, url: str) -> str:
    if not isinstance(item, dict):
        return ""
    return next((_whole(absolute(url, item[name])) for name in _NAMED if isinstance(item.get(name), str)), "")
