"""Guard: what a person sees is what is there: no bidi controls, nothing that does not show, no mixed identifiers."""

from __future__ import annotations

import re
import tokenize
import unicodedata
from collections.abc import Iterator

from bot.model import Objection
from guards import python
from guards.entries import newcomers, texts
from guards.facts import Facts
from guards.fresh import Found, fresh, objection
from guards.languages import is_python

_BLANKS = frozenset("\u115f\u1160\u17b4\u17b5\u180e\u2800\u3164\uffa0")
_SHOWN_AS_PRINTABLE = re.compile("[\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]")
_MARKS = frozenset("\u200e\u200f\u061c")
_JOINERS = frozenset("\u200c\u200d")
_JOINED = ("ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL",
           "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN")  # fmt: skip
_UNSPACED = ("THAI", "LAO", "KHMER", "MYANMAR", "TIBETAN")
_EAST = frozenset({"CJK", "HIRAGANA", "KATAKANA", "BOPOMOFO", "HANGUL", "FULLWIDTH", "HALFWIDTH"})
_LATIN_LOOK = frozenset("асеорхуіјѕһԁԛԝАВЕЗКМНОРСТУХІЈЅοΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")


def invisible(facts: Facts) -> Iterator[Objection]:
    """Objects to characters that move or hide text, in files, new entries and the claim, and to mixed identifiers.

    What a script needs is let through: joiners in Arabic or Indic words and in emoji, marks of direction in lines that
    run from right to left, soft hyphens inside words, variation selectors after the sign that they vary.
    """
    accept = "text in which every character shows"
    for path, found in fresh(facts, _hidden):
        yield objection("invisible", path, found, "a character that does not show was added", accept)
    for where, text in _sayings(facts):
        for found in _hidden("", text):
            yield Objection(
                "invisible", "guards", "", f"{found.kind} in {where}", "a character does not show", found.text, accept
            )
    for path, found in fresh(facts, _identifiers):
        what, name = "an identifier is not what it looks like", "an identifier in one script"
        yield objection("mixed-script", path, found, what, name)


def _sayings(facts: Facts) -> Iterator[tuple[str, str]]:
    claim = facts.snapshot.claim
    yield from (("the claim", text) for text in (claim.key, claim.summary, *claim.routes))
    for one in newcomers(facts):
        yield from ((f"{one.name}: {name}", text) for name, text in texts(one.entry))


def _hidden(_: str, text: str) -> Iterator[Found]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.isprintable() or _SHOWN_AS_PRINTABLE.search(line):
            leftward = any(unicodedata.bidirectional(one) in ("R", "AL") for one in line)
            for at, character in enumerate(line):
                if _hides(character) and not (leftward if character in _MARKS else _needed(line, at)):
                    name = unicodedata.name(character, f"character U+{ord(character):04X}").lower()
                    yield Found(name, f"U+{ord(character):04X} in {_spelt(line[max(0, at - 20) : at + 20])}", number)


def _hides(character: str) -> bool:
    if character in "\t\f\r" or character in _BLANKS:
        return character in _BLANKS
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp") or _varies(character)


def _varies(character: str) -> bool:
    return 0xFE00 <= ord(character) <= 0xFE0F or 0xE0100 <= ord(character) <= 0xE01EF


def _needed(line: str, at: int) -> bool:
    """Whether the script or the sign before and after asks for the character."""
    character, before, after = line[at], line[at - 1 : at], line[at + 1 : at + 2]
    if character in _JOINERS:
        emoji = character == "\u200d" and _is_sign(before) and _is_sign(after)
        return emoji or (_is_of(before, _JOINED) and (not after or not after.isascii() or after in " .,;:!?"))
    if character == "\u200b":
        return _is_of(before, _UNSPACED) or _is_of(after, _UNSPACED)
    if character == "\u00ad":
        return before.isalpha() and after.isalpha()
    if _varies(character):
        plain_sign = not _varies(before or " ") and (_is_sign(before) or before in tuple("0123456789#*"))
        return _is_of(before, ("CJK",)) or (plain_sign and ord(character) < 0xE0100)
    return 0xE0020 <= ord(character) <= 0xE007F and "\U0001f3f4" in line[max(0, at - 8) : at]


def _is_sign(character: str) -> bool:
    return bool(character) and (unicodedata.category(character) in ("So", "Sk", "Sm", "Po") or _varies(character))


def _is_of(character: str, scripts: tuple[str, ...]) -> bool:
    return bool(character) and unicodedata.name(character, "").startswith(scripts)


def _identifiers(path: str, text: str) -> Iterator[Found]:
    if not is_python(path) or text.isascii():
        return
    for token in python.tokens(text):
        if token.type == tokenize.NAME and not token.string.isascii() and (why := _misleads(token.string)):
            yield Found(why, _spelt(token.string, everything=True), token.start[0])


def _misleads(name: str) -> str:
    if unicodedata.normalize("NFKC", name) != name:
        return "an identifier that Python reads as another"
    letters = [one for one in name if one.isalpha()]
    scripts = {unicodedata.name(one, "UNKNOWN").split()[0].split("-")[0] for one in letters}
    if len(scripts) > 1 and not scripts <= {"LATIN", *_EAST}:
        return "an identifier of mixed scripts"
    return "an identifier that reads as Latin and is not" if _LATIN_LOOK.issuperset(letters) else ""


def _spelt(text: str, everything: bool = False) -> str:
    return "".join(f"\\u{{{ord(one):x}}}" if _hides(one) or (everything and not one.isascii()) else one for one in text)
