"""The kinds of value that the configuration file holds, each with its own refusal in plain words."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import PurePosixPath
from typing import Annotated
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema

from bot.measures import duration, size, span, spell_duration, spell_size, spell_span
from bot.model import Range

# Compiled when a value is first held against them: a file names few of these kinds.
_APP = r"(?!/)(?:[A-Za-z_][\w.-]*/)*[A-Za-z_][\w.]*(?::[A-Za-z_][\w.]*(?:\(.*\))?)?"
_OBJECT = r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*"
_LOCALE = r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]{2,8})*"
_LOCALE_BY = r"accept-language|prefix|query:[A-Za-z_][\w-]*"
_BRANCH = r"(?![-/.@])(?!.*(?:\.\.|//|@\{|\.lock$|[/.]$))[^\s~^:?*\[\\]+"
_SCP = r"[\w.-]+@[\w.-]+:(?!//).+"


class Table(BaseModel):
    """A table of the file: nothing in it is unknown, converted by guess, or changed after reading."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False, hide_input_in_errors=True)


def _length(value: object) -> object:
    return duration(value) if isinstance(value, str) else value


def _bytes(value: object) -> object:
    return size(value) if isinstance(value, str) else value


def _span(value: object) -> object:
    return span(value) if isinstance(value, int | str) and not isinstance(value, bool) else value


def _money(value: object) -> object:
    return None if value == "none" else value


def _calendar(value: str) -> str:
    from oncalendar import OnCalendar, OnCalendarError  # late: the default needs no proof

    try:
        OnCalendar(value, datetime(2000, 1, 1, tzinfo=UTC))
    except OnCalendarError as error:
        raise ValueError(
            f'is no calendar expression of systemd ({error}): write it as "daily" or "00/4:00:00"'
        ) from None
    return value


def _relative(value: str) -> str:
    path = PurePosixPath(value)
    if not value or "\\" in value or path.is_absolute() or ".." in path.parts or value.startswith("~"):
        raise ValueError("must be a relative path that stays inside, written with /")
    return value


def _absolute(value: str) -> str:
    if not value.startswith("/"):
        raise ValueError("must be an absolute path")
    return value


def _url_path(value: str) -> str:
    if not value.startswith("/") or any(character.isspace() for character in value):
        raise ValueError('must be a path of the site: it begins with "/" and holds no blanks')
    return value


def _matching(pattern: str, wanted: str) -> AfterValidator:
    def check(value: str) -> str:
        if not re.fullmatch(pattern, value):
            raise ValueError(f"is not {wanted}")
        return value

    return AfterValidator(check)


def is_url(value: str) -> bool:
    """Whether a remote is an address (https, ssh, or git's short ssh form), not a path or a name."""
    return "://" in value or bool(re.fullmatch(_SCP, value))


def _remote(value: str) -> str:
    if not value or value.startswith("-") or re.match(r"\w+::", value) or "\n" in value:
        raise ValueError("must be the name of a remote, an https or ssh address, or a path")
    if "://" in value:
        address = urlsplit(value)
        if address.scheme not in ("https", "ssh"):
            raise ValueError(f"must be https, ssh or a local path, not {address.scheme}")
        if address.password or (address.scheme == "https" and address.username):
            raise ValueError("holds a credential: keep it in a file and name that as credentials.token_file")
    return value


def _spelt(*forms: dict[str, object]) -> WithJsonSchema:
    """How the file spells it, for `config schema`: the values themselves are of other types."""
    return WithJsonSchema(forms[0] if len(forms) == 1 else {"anyOf": list(forms)})


_PLAIN: dict[str, object] = {"type": "integer", "minimum": 0}
_NO_CAP: dict[str, object] = {"const": "none"}
Duration = Annotated[
    timedelta,
    BeforeValidator(_length),
    PlainSerializer(spell_duration),
    _spelt({"type": "string", "pattern": r"^\s*([0-9]+(s|min|m|h|d|w))+\s*$"}),
]
Size = Annotated[
    int,
    Field(gt=0, le=2**50),
    BeforeValidator(_bytes),
    PlainSerializer(spell_size),
    _spelt(_PLAIN, {"type": "string", "pattern": r"^\s*[0-9]+[KMGT]?\s*$"}),
]
Span = Annotated[
    Range,
    BeforeValidator(_span),
    PlainSerializer(spell_span),
    _spelt(_PLAIN, {"type": "string", "pattern": r"^\s*[0-9]+\.\.[0-9]+\s*$"}),
]
Money = Annotated[
    float | None,
    Field(gt=0, le=1e6),
    BeforeValidator(_money),
    PlainSerializer(lambda value: value or "none"),
    _spelt({"type": "number", "exclusiveMinimum": 0, "maximum": 1e6}, _NO_CAP),
]
Count = Annotated[int, Field(ge=1, le=10**12)]
Text = Annotated[str, Field(min_length=1)]
Name = Annotated[str, _matching(r"[a-z][a-z0-9_-]{0,63}", "a name: small letters, digits, - and _")]
FolderName = Annotated[
    str, _matching(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", "a safe folder name: letters, digits, . _ and -")
]
Variable = Annotated[str, _matching(r"[A-Za-z_][A-Za-z0-9_]*", "the name of an environment variable")]
App = Annotated[str, _matching(_APP, 'an app as for `flask --app`, like "lights.app:create_app"')]
Object = Annotated[str, _matching(_OBJECT, 'a module and an attribute, like "lights.content:ARTICLES"')]
Branch = Annotated[str, _matching(_BRANCH, "the name of a branch")]
Locale = Annotated[str, _matching(_LOCALE, 'a locale, like "en" or "zh_TW"')]
LocaleBy = Annotated[str, _matching(_LOCALE_BY, '"accept-language", "prefix" or "query:NAME"')]
LedgerKey = Annotated[str, _matching(r"[a-z][a-z0-9_-]*/\S+", 'a key, like "articles/harbour-lights"')]
Calendar = Annotated[str, AfterValidator(_calendar)]
Relative = Annotated[str, AfterValidator(_relative)]
Absolute = Annotated[str, AfterValidator(_absolute)]
UrlPath = Annotated[str, AfterValidator(_url_path)]
Remote = Annotated[str, AfterValidator(_remote)]
