"""Reading a site's URL rules: which can be asked, at what URLs, and which look as if asking would do harm."""

from __future__ import annotations

import re
from functools import lru_cache
from urllib.parse import quote

from bot.model import Rule

_BLANK = re.compile(r"<(?:(?P<converter>\w+)(?:\((?P<values>[^>]*)\))?:)?(?P<name>\w+)>")
_LOCALE = re.compile(r"^(lang|language|locale|lang_code|language_code|lang_id|lc)$")
_WORDS = re.compile(r"[a-z]+")
_HARM = frozenset(
    (
        *("ban", "block", "cancel", "clear", "delete", "destroy", "disable", "downvote", "drop", "erase", "flush"),
        *("logoff", "logout", "purge", "remove", "reset", "revoke", "shutdown", "signoff", "signout", "star", "trash"),
        *("truncate", "unfollow", "unlink", "unstar", "unsubscribe", "upvote", "vote", "wipe"),
    )
)


def asked(rule: Rule) -> bool:
    """Whether the sweep covers the rule: it answers GET, and its view does more than send files."""
    return "GET" in rule.methods and not rule.static


def harmful(url: str) -> bool:
    """Whether a word of the path says that asking might change or end something."""
    path = _BLANK.sub("", url.partition("?")[0]).lower()
    return any(word in _HARM for word in _WORDS.findall(path)) or "log-out" in path or "sign-out" in path


def name(rule: Rule) -> str:
    """The rule as people know it."""
    return f"{rule.host}{rule.rule}" if rule.host else rule.rule


def urls(rule: Rule, locales: tuple[str, ...]) -> tuple[str, ...]:
    """The URLs that the rule itself tells: all its blanks filled by locale codes or by an `any` converter's values."""
    found = [rule.rule]
    for blank in _BLANK.finditer(rule.rule):
        values = _values(blank, locales)
        found = [url.replace(blank[0], quote(value, safe="")) for url in found for value in values]
    return tuple(found)


def reaches(rule: Rule, url: str) -> bool:
    """Whether the URL could be one of the rule's."""
    return _pattern(rule.rule).fullmatch(url.partition("?")[0]) is not None


def sample(rule: Rule) -> str:
    """A URL of the rule's shape, for the operator to fill in."""
    return _BLANK.sub(
        lambda blank: "1" if blank["converter"] in ("int", "float") else f"SOME-{blank['name']}", rule.rule
    )


def _values(blank: re.Match[str], locales: tuple[str, ...]) -> tuple[str, ...]:
    if blank["converter"] == "any" and blank["values"]:
        return tuple(value.strip().strip("\"'") for value in blank["values"].split(","))
    return locales if _LOCALE.match(blank["name"]) else ()


@lru_cache(maxsize=2048)
def _pattern(rule: str) -> re.Pattern[str]:
    pattern, end = "", 0
    for blank in _BLANK.finditer(rule):
        pattern += re.escape(rule[end : blank.start()])
        pattern += ".+" if blank["converter"] == "path" else "[^/]+"
        end = blank.end()
    return re.compile(pattern + re.escape(rule[end:]))
