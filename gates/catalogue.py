"""Which catalogues a tree holds, what a change broke in them, and how they are compiled."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from io import BytesIO

from babel.core import Locale, UnknownLocaleError
from babel.messages.mofile import write_mo

from bot.model import Objection, TreeEntry
from gates.messages import Message
from gates.po import Key, Problem, Reading, parse

_DATED = re.compile(rb'^[^\S\n]*+"POT-Creation-Date:', re.MULTILINE)
_UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
_REGULAR = frozenset({"100644", "100755"})
_ACCEPT = {
    "placeholder": "use exactly the placeholders of the message, in every plural form",
    "plural-count": "fill in as many plural forms as the locale has",
    "duplicate": "keep one entry for the message",
    "conflict-marker": "remove the conflict markers",
}


def catalogues(entries: Mapping[str, TreeEntry], folder: str = "") -> dict[str, str]:
    """Path and object of every `<folder>/<locale>/LC_MESSAGES/*.po`; without a folder, of those anywhere."""
    prefix = f"{folder.strip('/')}/" if folder.strip("/") else ""
    found = (path for path, one in entries.items() if path.endswith(".po") and one.mode in _REGULAR)
    return {path: entries[path].oid for path in sorted(found) if path.startswith(prefix) and _placed(path, prefix)}


def locale_of(path: str) -> str:
    """The locale that the catalogue's folder names."""
    return path.split("/")[-3]


def compile_catalogue(po: bytes) -> bytes | None:
    """The compiled catalogue that a site serves, fuzzy entries left out; None where it cannot be read.

    The same source is the same bytes at any time: Babel dates one that has no date with now.
    """
    compiled = BytesIO()
    try:
        catalog = parse(po)
        if not _DATED.search(po):
            catalog.creation_date = _UNDATED
        write_mo(compiled, catalog, use_fuzzy=False)
    except ValueError:
        return None
    return compiled.getvalue()


def target(paths: Iterable[str], locale: str) -> str:
    """The locale's catalogue that holds the site's own messages, empty where that cannot be told."""
    known = [path for path in paths if locale_of(path) == locale]
    named = [path for path in known if path.endswith("/messages.po")]
    return (named or known)[0] if len(named or known) == 1 else ""


def objections(
    path: str, base: Reading | None, candidate: Reading | None, removed: frozenset[Key] = frozenset()
) -> Iterator[Objection]:
    """What is wrong in the candidate's catalogue and was not at base; None stands for a file that is not there.

    `removed` are the messages that the change took out of the sources: their translations may go, but not turn fuzzy.
    """
    if candidate is None:
        if base is not None and base.live:
            yield _gone(path, len(base.live))
        return
    known = Counter(problem.identity for problem in base.problems) if base else Counter()
    for problem in candidate.problems:
        if known[problem.identity] > 0:
            known[problem.identity] -= 1
        else:
            yield _broken(path, problem)
    if base is not None and not any(problem.code == "malformed" for problem in candidate.problems):
        gone = base.live - candidate.live
        yield from _changed(path, base, candidate)
        yield from _lost(path, (key for key in gone if key not in removed or base.said[key] in candidate.guesses))
        if base.plurals and base.plurals != candidate.plurals:
            detail = f"{candidate.plurals} plural forms are declared, {base.plurals} before"
            yield _broken(path, Problem("plural-count", "", detail))
    if base is None and not _sound(candidate.plurals, locale_of(path)):
        detail = f"{candidate.plurals} plural forms are declared, which {locale_of(path)} has not"
        yield _broken(path, Problem("plural-count", "", detail))


def untranslated(path: str, candidate: Reading | None, messages: Iterable[Message]) -> Iterator[Objection]:
    """The messages that the change brings and a visitor of that locale would read in the site's own language."""
    live = candidate.live if candidate else frozenset()
    for message in messages:
        if (message.context, message.text) not in live:
            yield Objection(
                code="translation-missing",
                node="gate",
                where=path,
                subject=message.text,
                what=f"a new message has no {locale_of(path)} translation",
                seen=f"it stands in {', '.join(message.places[:3])}",
                accept="put an entry with its msgid and a translation at the end of this catalogue",
            )


def _sound(declared: int, locale: str) -> bool:
    """Whether a language may have so many plural forms. Few catalogues give large round numbers a form of their own."""
    try:
        most = len(Locale.parse(locale).plural_form.tags) + 1
    except (ValueError, UnknownLocaleError, TypeError):
        return True
    return declared == 0 or (declared <= most and (declared == 1) == (most == 1))


def _placed(path: str, prefix: str) -> bool:
    parts = path.removeprefix(prefix).split("/")
    return len(parts) >= 3 and parts[-2] == "LC_MESSAGES" and (not prefix or len(parts) == 3)


def _broken(path: str, problem: Problem) -> Objection:
    return Objection(
        code=f"catalogue-{problem.code}",
        node="gate",
        where=f"{path}:{problem.line}" if problem.line else path,
        subject=problem.msgid or problem.detail,
        what=f"the {locale_of(path)} catalogue has a new problem: {problem.code}",
        seen=problem.detail,
        accept=_ACCEPT.get(problem.code, "write the catalogue so that gettext can read it"),
    )


def _lost(path: str, keys: Iterable[tuple[str, str]]) -> Iterator[Objection]:
    for _, msgid in sorted(keys):
        yield Objection(
            code="translation-lost",
            node="gate",
            where=path,
            subject=msgid,
            what=f"a live {locale_of(path)} translation is lost",
            seen="the message is now fuzzy, empty or gone",
            accept="leave existing messages and their translations as they are; only add",
        )


def _changed(path: str, base: Reading, candidate: Reading) -> Iterator[Objection]:
    for key in sorted(base.live & candidate.live):
        if base.said[key] != candidate.said[key]:
            yield Objection(
                code="translation-changed",
                node="gate",
                where=path,
                subject=key[1],
                what=f"a live {locale_of(path)} translation says something else",
                seen=f"{' / '.join(candidate.said[key])}; before: {' / '.join(base.said[key])}",
                accept="leave existing messages and their translations as they are; only add",
            )


def _gone(path: str, live: int) -> Objection:
    return Objection(
        code="catalogue-gone",
        node="gate",
        where=path,
        subject=locale_of(path),
        what=f"a catalogue with {live} live translations is gone",
        accept="keep the catalogue",
    )
