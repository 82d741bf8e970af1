"""Guard: the application is put together as base's is; what is new stands beside it, and replaces nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bot.model import Objection
from guards.facts import Facts
from guards.languages import is_python

_SETS = re.compile(
    r"(?m)^(?>.*?config\b).*[^=!<>]=(?!=)|config\.(?:update|from_\w+|setdefault|pop|popitem|clear)\b|vars\(|__dict__"
)
_FLASKS = re.compile(  # what Flask itself goes by, and the forms' protection: no content of a site
    r"SECRET_KEY\w*|SESSION_(?:COOKIE|REFRESH)_\w+|PERMANENT_SESSION_LIFETIME|MAX_(?:CONTENT_LENGTH|FORM_\w+|COOKIE_SIZE)"
    r"|TRUSTED_HOSTS|SERVER_NAME|APPLICATION_ROOT|PREFERRED_URL_SCHEME|DEBUG|TESTING|PROPAGATE_EXCEPTIONS|TRAP_\w+_ERRORS"
    r"|SEND_FILE_MAX_AGE_DEFAULT|TEMPLATES_AUTO_RELOAD|EXPLAIN_TEMPLATE_LOADING|PROVIDE_AUTOMATIC_OPTIONS|WTF_CSRF_\w+"
)
_CLOSED = frozenset({"hook", "own", "patch", "signal", "unread"})  # kinds of which not even one more is an addition
_SAID = {
    "view": "another function answers for an old endpoint",
    "hook": "what is done on every request is no longer what it was",
    "filter": "an old filter of the templates is another function",
    "test": "an old test of the templates is another function",
    "global": "an old name in all templates stands for something else",
    "converter": "an old converter of URLs is another one",
    "processor": "templates are no longer given what they were given",
    "signal": "other functions than before are told of every request",
    "patch": "something that does not belong to the site was replaced",
    "setting": "a setting has another value",
    "unread": "how the application is put together can no longer be read whole",
}


def wired_as_before(facts: Facts) -> Iterator[Objection]:
    """Objects where views, hooks, filters, settings or parts of the framework are others than at base.

    It asks the application itself, so that it does not matter how the change was written. One more view, filter,
    setting or context processor is no matter, nor is a hook of a blueprint that is new.
    """
    base, now = facts.base.wiring, facts.candidate.wiring
    if base is None or now is None:
        return
    for key in sorted({*base, *now}):
        kind, _, name = key.partition(" ")
        before, after = base.get(key, ""), now.get(key, "")
        if key in base and key in now and before == after:
            continue
        if _matters(kind, name, key in base, base) and not (kind == "setting" and not _meant(facts, name)):
            what = _SAID.get(kind, "a part of the application is another one")
            yield Objection("rewired", "guards", "", key, what, _seen(kind, before, after), "the same as at base")


def _matters(kind: str, name: str, known: bool, base: dict[str, str]) -> bool:
    """Whether a difference takes something; of what base has not, only a kind that is closed, in an old scope."""
    if known or kind not in _CLOSED:
        return known
    scope = name.partition(" ")[0]
    return kind != "hook" or not scope or any(one.startswith(f"view {scope}.") for one in base)


def _meant(facts: Facts, name: str) -> bool:
    """Whether the change gave the setting its value.

    A key that each process makes up anew, before and after, differs by itself unless the change names it. Content that
    is kept among the settings grows by additions; Flask's own settings do not.
    """
    told = [line.text for line in facts.added if is_python(line.path)]
    named = any(name in text or name.lower() in text for text in told)
    if named or f"setting {name}" in facts.restless:
        return named
    return bool(_FLASKS.fullmatch(name)) or any(map(_SETS.search, told))


def _seen(kind: str, before: str, after: str) -> str:
    if kind == "setting":
        return "another value than at base" if after else "gone"
    return f"{after or 'nothing'}; at base: {before or 'nothing'}"
