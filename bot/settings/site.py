"""The tables about the site: site, cycle, registry, addition and ledger."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Annotated, Literal, Self

from pydantic import Field, field_validator, model_validator

from bot.model import Addition, Source
from bot.model import FieldRule as FieldRuleValue
from bot.settings.values import (
    App,
    Branch,
    Count,
    Duration,
    FolderName,
    LedgerKey,
    Locale,
    LocaleBy,
    Name,
    Object,
    Relative,
    Remote,
    Size,
    Span,
    Table,
    Text,
    UrlPath,
    Variable,
)

_BLANK = re.compile(r"\{([^{}]*)\}")
_PLACES = {"python": "object", "files": "glob", "data": "file"}
_RESERVED = ("url_map", "feature")


class Site(Table):
    """`[site]`: which repository, which branch, and how the site is loaded."""

    name: FolderName
    remote: Remote = "origin"
    branch: Branch = "main"
    app: App
    path: Annotated[tuple[Relative, ...], Field(min_length=1)] = (".",)
    python: Text = ".venv/bin/python"
    locales: tuple[Locale, ...] = ()
    locale_by: LocaleBy = "accept-language"
    env: dict[Variable, str] = Field(default_factory=dict)
    provide: tuple[Relative, ...] = ()
    checkout: str = ""

    @field_validator("path", "locales", "provide")
    @classmethod
    def _each_once(cls, values: tuple[str, ...]) -> tuple[str, ...]:
        return unique(values)


class Cycle(Table):
    """`[cycle]`: when a cycle may start, what it may touch, and how large a change may be."""

    quiet_period: Duration = timedelta(hours=3)
    allow: Annotated[tuple[Relative, ...], Field(min_length=1)]
    protected: tuple[Relative, ...] = ()
    repairs: Annotated[int, Field(ge=0, le=5)] = 3
    max_files: Count = 12
    max_added_lines: Count = 400
    max_file_bytes: Size = 200_000
    approve: Literal["auto", "ask"] = "auto"
    approve_expires: Duration = timedelta(days=7)


class FieldRule(Table):
    """What the owner says about one field of a registry's entries, over what its siblings suggest."""

    required: bool | None = None
    open: bool = False

    @property
    def value(self) -> FieldRuleValue:
        """The same for the guards."""
        return FieldRuleValue(self.required, self.open)


class Registry(Table):
    """`[[registry]]`: a named set of entries, where it is kept and where each entry has its page."""

    name: Name
    source: Literal["python", "files", "data"]
    object: Object | None = None
    glob: Relative | None = None
    file: Relative | None = None
    at: str = ""
    key: Text
    page: UrlPath | None = None
    fields: dict[Text, FieldRule] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _source_says_where(self) -> Self:
        given = {place for place in _PLACES.values() if getattr(self, place) is not None}
        wanted = _PLACES[self.source]
        if wanted not in given:
            raise ValueError(f'source "{self.source}" needs {wanted}')
        if strange := sorted(given - {wanted}) + (["at"] if self.at and self.source != "data" else []):
            raise ValueError(f'source "{self.source}" has no use for {strange[0]}; take it away')
        return self

    @model_validator(mode="after")
    def _page_holds_the_key(self) -> Self:
        blanks = set(_BLANK.findall(self.page or ""))
        left = _BLANK.sub("", self.page or "")
        if self.page is not None and (blanks != {self.key} or "{" in left or "}" in left):
            raise ValueError(f'page must hold the key in braces, as "{{{self.key}}}", and no other braces')
        return self

    @field_validator("name")
    @classmethod
    def _name_is_free(cls, name: str) -> str:
        if name in _RESERVED:
            raise ValueError(f'may not be "{name}": that name is taken')
        return name

    @property
    def value(self) -> Source:
        """The same for the guards and gates."""
        places = {place: getattr(self, place) or "" for place in _PLACES.values()}
        return Source(self.name, self.source, self.key, at=self.at, page=self.page or "", **places)


class AdditionTable(Table):
    """`[[addition]]`: what counts as one thing of one kind."""

    kind: Name
    adds: Annotated[dict[str, Span], Field(min_length=1)]

    @property
    def value(self) -> Addition:
        """The same for the guards."""
        return Addition(self.kind, dict(self.adds))


class Ledger(Table):
    """`[ledger]`: keys that were known before Plusone came."""

    known: tuple[LedgerKey, ...] = ()


def unique(values: tuple[str, ...]) -> tuple[str, ...]:
    """The same values. Raises ValueError for one that stands twice."""
    if twice := next((value for value in values if values.count(value) > 1), None):
        raise ValueError(f'names "{twice}" twice')
    return values
