"""Entries put at the end of a catalogue's own text, and whether two texts say the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

from babel.messages.catalog import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.pofile import normalize

from gates.messages import Message
from gates.po import parse

_PLACE = re.compile(rb"^#: .*$", re.MULTILINE)
_NUMBERED = re.compile(rb":\d++\Z")


def appended(content: bytes, locale: str, messages: Iterable[Message]) -> bytes:
    """The catalogue with an empty entry for each message that it lacks; every byte that stood there stands there still.

    One that cannot be read, or cannot spell a message, is returned as it is.
    """
    try:
        catalog = parse(content, locale)
        known = {(one.context or "", one.id if isinstance(one.id, str) else one.id[0]) for one in catalog if one.id}
        lacking = [one for one in messages if (one.context, one.text) not in known]
        style = _PLACE.search(content)
        numbered = style is not None and _NUMBERED.search(style[0].rstrip()) is not None
        text = "".join(_entry(one, catalog, style is not None, numbered) for one in lacking)
        more = text.encode(catalog.charset or "utf-8")
    except (ValueError, LookupError):
        return content
    if not lacking:
        return content
    end = b"\r\n" if b"\r\n" in content else b"\n"
    more = more.replace(b"\n", end)
    if content.endswith(end * 2):  # every entry is followed by a blank line there, not led by one
        return content + more.removeprefix(end) + end
    return (content if content.endswith(b"\n") else content + end) + more


def same(before: bytes, now: bytes) -> bool:
    """Whether two catalogues say the same: only headers that nobody serves, comments, places or line breaks differ."""
    try:
        return _meaning(before) == _meaning(now)
    except ValueError:
        return False


def _entry(message: Message, catalog: Catalog, places: bool, lines: bool) -> str:
    """A blank line and the entry, with places as the catalogue itself writes them."""
    shown = message.places if lines else message.files
    parts = [f"#: {' '.join(shown)}"] if places and shown and not any(" " in place for place in shown) else []
    parts += [f"#, {', '.join(message.formats)}"] if message.formats else []
    parts += [f"msgctxt {_quoted(message.context)}"] if message.context else []
    parts.append(f"msgid {_quoted(message.text)}")
    if message.plural:
        parts.append(f"msgid_plural {_quoted(message.plural)}")
        parts += [f'msgstr[{number}] ""' for number in range(catalog.num_plurals)]
    else:
        parts.append('msgstr ""')
    return "\n" + "\n".join(parts) + "\n"


def _quoted(text: str) -> str:
    return normalize(text, width=0)


def _meaning(content: bytes) -> tuple[object, ...]:
    """What visitors get of it, and what translators still have to look at."""
    catalog = parse(content)
    entries = frozenset((*_said(one), one.fuzzy) for one in catalog if one.id)
    old = frozenset(_said(one) for one in catalog.obsolete.values())
    return (entries, old, catalog.charset, catalog.plural_forms)


def _said(message: Entry) -> tuple[object, ...]:
    return (message.context, *_texts(message.id), "=", *_texts(message.string))


def _texts(text: object) -> tuple[str, ...]:
    if isinstance(text, str):
        return (text,)
    return tuple(map(str, text)) if isinstance(text, tuple | list) else ()
