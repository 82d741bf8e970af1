"""One gettext catalogue: its lines, its entries, and what is wrong in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from io import BytesIO

from babel.core import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, PoFileParser

from bot.frozen import frozen
from gates.placeholders import mismatch

LARGEST = 8 * 1024**2
MOST_PLURALS = 100
_CONFLICT = re.compile(r"^(<{7}|={7}|>{7}|\|{7})( |$)")
_TEXT = r'"(?:[^"\\]|\\.)*"'
_LINE = re.compile(rf"^(?:(msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?)\s*)?({_TEXT})$")
_BOM = b"\xef\xbb\xbf"
_OLD_PREVIOUS = re.compile(rb"^#~\|[^\r\n]*", re.MULTILINE)  # gettext writes it, and Babel's reader stumbles over it

Key = tuple[str, str]


@frozen
class Problem:
    """One thing that is wrong in a catalogue; `line` is for people and no part of its identity."""

    code: str
    msgid: str
    detail: str
    line: int = 0

    @property
    def identity(self) -> tuple[str, str, str]:
        """What makes it the same problem in another version of the file."""
        return (self.code, self.msgid, self.detail)


@frozen
class Reading:
    """What one catalogue holds: the translations that visitors see, how many are fuzzy, and the problems.

    `plurals` is how many forms its header declares, 0 where it could not be read. `said` are the live translations'
    own words, `guesses` the words of fuzzy entries.
    """

    live: frozenset[Key]
    messages: int
    fuzzy: int
    problems: tuple[Problem, ...]
    plurals: int = 0
    said: Mapping[Key, tuple[str, ...]] = field(default_factory=dict)
    guesses: frozenset[tuple[str, ...]] = frozenset()


class _Bounded(Catalog):
    """A catalogue whose header cannot ask for more plural forms than a language has: room is made for each of them."""

    @property
    def num_plurals(self) -> int:
        number = int(super().num_plurals)
        if number > MOST_PLURALS:
            raise ValueError(f"more than {MOST_PLURALS} plural forms are declared")
        return number


def parse(content: bytes, locale: str = "") -> Catalog:
    """The catalogue, whole. Raises ValueError where gettext could not read it."""
    if len(content) > LARGEST:
        raise ValueError(f"the catalogue is larger than {LARGEST} bytes")
    try:
        known = str(Locale.parse(locale)) if locale else None
    except (ValueError, UnknownLocaleError, TypeError):
        known = None
    try:
        catalog = _Bounded(locale=known)
        plain = _OLD_PREVIOUS.sub(b"#", content.removeprefix(_BOM))
        PoFileParser(catalog, abort_invalid=True).parse(BytesIO(plain))
        return catalog
    except (PoFileError, UnknownLocaleError, LookupError, AttributeError, TypeError) as error:
        raise ValueError(" ".join(str(error).split())) from error


def reading(content: bytes, locale: str) -> Reading:
    """What the catalogue of that locale holds. Unreadable ones have no live entry and one problem that says why."""
    problems = [*_lines(content)]
    try:
        catalog = parse(content, locale)
    except ValueError as error:
        return Reading(frozenset(), 0, 0, (*problems, Problem("malformed", "", str(error))))
    messages = [message for message in catalog if message.id]
    served = [message for message in messages if not message.fuzzy]
    for message in served:
        problems += _entry(message, catalog.num_plurals)
    said = {_key(message): _forms(message) for message in served if _complete(message)}
    guesses = frozenset(_forms(message) for message in messages if message.fuzzy)
    fuzzy, plurals = len(messages) - len(served), catalog.num_plurals
    return Reading(frozenset(said), len(messages), fuzzy, tuple(problems), plurals, said, guesses)


def _key(message: Message) -> Key:
    identity = message.id
    return (message.context or "", identity if isinstance(identity, str) else identity[0])


def _forms(message: Message) -> tuple[str, ...]:
    strings = message.string
    return (strings,) if isinstance(strings, str) else tuple(text or "" for text in strings or ())


def _complete(message: Message) -> bool:
    forms = _forms(message)
    return bool(forms) and all(forms)


def _lines(content: bytes) -> Iterator[Problem]:
    """Conflict markers, malformed lines and messages that stand twice: what a lenient parser passes over."""
    seen: set[Key] = set()
    context = identity = keyword = ""
    for number, raw in enumerate(content.removeprefix(_BOM).decode("utf-8", "replace").split("\n"), 1):
        line = raw.strip()
        if _CONFLICT.match(raw):
            yield Problem("conflict-marker", "", raw[:7], number)
        elif line and not line.startswith("#"):
            found = _LINE.match(line)
            if found is None:
                identity = f"line {number}"
                yield Problem("malformed", "", line[:80], number)
                continue
            keyword = found[1] or keyword
            text = found[2][1:-1]
            if keyword == "msgctxt":
                context = text if found[1] else context + text
            elif keyword == "msgid":
                identity = text if found[1] else identity + text
            elif keyword.startswith("msgstr") and found[1] and keyword in ("msgstr", "msgstr[0]"):
                if (context, identity) in seen:
                    yield Problem("duplicate", identity, "stands twice", number)
                seen.add((context, identity))
                context = ""


def _entry(message: Message, plurals: int) -> Iterator[Problem]:
    forms = _forms(message)
    msgid = _key(message)[1]
    if not any(forms):
        return
    if not isinstance(message.id, str) and not all(forms):
        detail = f"{sum(map(bool, forms))} of {plurals} plural forms are filled in"
        yield Problem("plural-count", msgid, detail, message.lineno or 0)
    sources = (message.id,) if isinstance(message.id, str) else tuple(message.id)
    for form in filter(None, forms):
        detail = mismatch(sources, form, message.flags)
        if detail:
            yield Problem("placeholder", msgid, detail, message.lineno or 0)
