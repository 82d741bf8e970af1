"""Reading a site's URL rules: which can be asked, at what URLs, and which look as if asking would do harm."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain, cycle, islice, product
from math import prod
from types import MappingProxyType
from urllib.parse import parse_qsl, quote, unquote

from bot.model import Rule
from bot.model.shape import PATH, SEGMENT, Blank, Shape, Unit

# Values are read up to a length, for each `<name(` that nothing closes is looked through from its own place.
_BLANK = re.compile(r"<(?:(?P<converter>\w+)(?:\((?P<values>[^>]{0,2000})\))?:)?(?P<name>\w+)>")
_LOCALE = re.compile(r"^(lang|language|locale|lang_code|language_code|lang_id|lc)$")
_GROUP = re.compile(r"\((\?:)?")
_WORD = re.compile(r"[\w-]+", re.ASCII)
_LEAST = re.compile(r"\bmin\s*=\s*(\d+)")
_DIGITS = re.compile(r"\bfixed_digits\s*=\s*(\d+)")
_MINUS, _NUMBER = Unit("-", "?"), Unit(r"\d", "+")
_KINDS: dict[str, Blank] = {
    "path": PATH,
    "int": (_MINUS, _NUMBER),
    "float": (_MINUS, _NUMBER, Unit("."), _NUMBER),
    "uuid": (Unit("[0-9A-Fa-f-]"),) * 36,
}
_CHOICES, _LENT, _TOLD = 40, 3, 600
_WORDS = re.compile(r"[a-z]+")
_HARM = frozenset(
    (
        *("ban", "block", "cancel", "clear", "deactivate", "del", "delete", "destroy", "disable", "discard", "dislike"),
        *("downvote", "drop", "erase", "flush", "logoff", "logout", "purge", "reboot", "remove", "reset", "restart"),
        *("revoke", "rm", "rollback", "shutdown", "signoff", "signout", "star", "terminate", "toggle", "trash"),
        *("truncate", "unfollow", "uninstall", "unlike", "unlink", "unpublish", "unstar", "unsubscribe", "upvote"),
        *("vote", "wipe"),
    )
)
# Words that no other word begins or ends with, so that they are found where nothing parts them from the next one.
_PLAIN_HARM = ("delete", "destroy", "logout", "remove", "signout", "truncate", "unsubscribe")
_VIEWS = frozenset(("del", "delete", "destroy", "erase", "logout", "purge", "remove", "rm", "signout", "unsubscribe"))
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ACTIONS = frozenset(("act", "action", "cmd", "command", "do", "job", "method", "op", "operation", "task"))


Choices = Mapping[str, tuple[str, ...]]


def asked(rule: Rule) -> bool:
    """Whether the sweep covers the rule: it answers GET, and its view does more than send files."""
    return "GET" in rule.methods and not rule.static


def harmful(url: str) -> bool:
    """Whether a word of the path, or an action that the query names, says that asking might change or end something."""
    path, _, query = _BLANK.sub("", url).partition("?")
    pairs = parse_qsl(query, keep_blank_values=True)
    said = [path, *(name for name, _ in pairs), *(value for name, value in pairs if name.lower() in _ACTIONS)]
    return any(map(_harms, said)) or "log-out" in path.lower() or "sign-out" in path.lower()


def harms(rule: Rule) -> bool:
    """Whether the rule's path, or the first word of its view's name, says so."""
    view = _words(rule.endpoint.rpartition(".")[2])
    return harmful(rule.rule) or not _VIEWS.isdisjoint(view[:1])


def _harms(text: str) -> bool:
    words = _words(text)
    return any(word in _HARM or word.startswith(_PLAIN_HARM) or word.endswith(_PLAIN_HARM) for word in words)


def _words(text: str) -> list[str]:
    return _WORDS.findall(_HUMP.sub("-", text).lower())


def name(rule: Rule) -> str:
    """The rule as people know it."""
    return f"{rule.host}{rule.rule}" if rule.host else rule.rule


def urls(rule: Rule, locales: tuple[str, ...], choices: Choices = MappingProxyType({})) -> tuple[str, ...]:
    """The URLs that the rule itself tells: all its blanks filled by locale codes or by a converter's few values.

    `choices` are the values of the site's own converters. Several blanks may make any number of URLs: of more than
    600 only 600 are told, among them each value once as far as that goes.
    """
    blanks = [*_BLANK.finditer(rule.rule)]
    values = [_values(blank, locales, choices) for blank in blanks]
    filled: Iterable[tuple[str, ...]] = product(*values)
    if prod(map(len, values)) > _TOLD:
        each = zip(*(islice(cycle(known), max(map(len, values))) for known in values), strict=True)
        filled = islice(dict.fromkeys(islice(chain(each, filled), 2 * _TOLD)), _TOLD)
    return tuple(_url(rule.rule, zip(blanks, found, strict=True)) for found in filled)


def _url(text: str, filled: Iterable[tuple[re.Match[str], str]]) -> str:
    for blank, value in filled:
        text = text.replace(blank[0], quote(value, safe=""))
    return text


def reaches(rule: Rule, url: str) -> bool:
    """Whether the URL could be one of the rule's."""
    path = url.partition("?")[0]
    return any(_shape(rule.rule).filled(one) is not None for one in dict.fromkeys((path, unquote(path))))


def chosen(pattern: str) -> tuple[str, ...]:
    """The values that a converter's pattern spells out; none where it is no plain choice between words."""
    plain = _GROUP.sub("", pattern).removesuffix(")") if _GROUP.match(pattern) else pattern
    words = plain.split("|")
    return tuple(words) if len(words) <= _CHOICES and all(_WORD.fullmatch(word) for word in words) else ()


def filled(rule: Rule, url: str) -> dict[tuple[str, str], str]:
    """What stands in the rule's blanks at that URL, by converter and name; empty where it is not the rule's."""
    found = _shape(rule.rule).filled(url.partition("?")[0])
    kinds = [(blank["converter"] or "", blank["name"]) for blank in _BLANK.finditer(rule.rule)]
    return dict(zip(kinds, found, strict=True)) if found else {}


def lent(rule: Rule, pool: Mapping[tuple[str, str], Sequence[str]]) -> tuple[str, ...]:
    """Some URLs with the blanks filled by what stands in blanks of that name elsewhere, and numbers by the least."""
    blanks = [*_BLANK.finditer(rule.rule)]
    values = [pool.get((blank["converter"] or "", blank["name"])) or _least(blank) for blank in blanks]
    found = []
    for number in range(min(_LENT, max(map(len, values), default=0)) if all(values) else 0):
        url = rule.rule
        for blank, known in zip(blanks, values, strict=True):
            url = url.replace(blank[0], known[number % len(known)])
        found.append(url)
    return tuple(dict.fromkeys(found))


def sample(rule: Rule) -> str:
    """A URL of the rule's shape, for the operator to fill in."""
    return _BLANK.sub(
        lambda blank: "1" if blank["converter"] in ("int", "float") else f"SOME-{blank['name']}", rule.rule
    )


def _values(blank: re.Match[str], locales: tuple[str, ...], choices: Choices) -> tuple[str, ...]:
    if blank["converter"] == "any" and blank["values"]:
        return tuple(value.strip().strip("\"'") for value in blank["values"].split(","))
    if blank["converter"] in choices:
        return choices[blank["converter"]]
    return locales if _LOCALE.match(blank["name"]) else ()


def _least(blank: re.Match[str]) -> tuple[str, ...]:
    """The number that is likeliest to be there; nobody can guess any other kind."""
    if blank["converter"] not in ("int", "float"):
        return ()
    limits = blank["values"] or ""
    least, digits = _LEAST.search(limits), _DIGITS.search(limits)
    number = (least[1] if least else "1").zfill(int(digits[1]) if digits else 1)
    return (f"{number}.0" if blank["converter"] == "float" else number,)


@lru_cache(maxsize=2048)
def _shape(rule: str) -> Shape:
    pieces: list[str | Blank] = []
    end = 0
    for blank in _BLANK.finditer(rule):
        pieces += (rule[end : blank.start()], _KINDS.get(blank["converter"] or "", SEGMENT))
        end = blank.end()
    return Shape([*pieces, rule[end:]])
