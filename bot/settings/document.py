"""The whole file as one value, with what later stages ask of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, PrivateAttr, model_validator

from bot.model import Addition, Allowance, FieldRule, Limits, Source
from bot.model import Site as SiteValue
from bot.settings.gate import Gate
from bot.settings.models import Budget, Credentials, Models, Notify, Page, Sandbox, State, Timer
from bot.settings.site import AdditionTable, Cycle, Ledger, Registry, Site, unique
from bot.settings.values import Table, is_url

_ASIDE = ("credentials", "state", "timer", "page", "notify")


class Settings(Table):
    """Everything that `plusone.toml` says, defaults filled in. Relative paths mean the folder of that file."""

    site: Site
    cycle: Cycle
    registry: tuple[Registry, ...] = ()
    addition: Annotated[tuple[AdditionTable, ...], Field(min_length=1)]
    ledger: Ledger = Ledger()
    gate: Gate = Gate()
    models: Models = Models()
    budget: Budget = Budget()
    sandbox: Sandbox = Sandbox()
    state: State = State()
    credentials: Credentials = Credentials()
    timer: Timer = Timer()
    page: Page = Page()
    notify: Notify = Notify()
    _file: Path = PrivateAttr(default=Path("plusone.toml"))

    @model_validator(mode="after")
    def _additions_name_registries(self) -> Self:
        names = unique(tuple(registry.name for registry in self.registry))
        unique(tuple(addition.kind for addition in self.addition))
        for addition in self.addition:
            for name in addition.adds:
                if name not in (*names, "url_map"):
                    known = ", ".join((*names, "url_map"))
                    raise ValueError(f'addition "{addition.kind}" adds to "{name}", no registry; known: {known}')
            if not any(span.most for span in addition.adds.values()):
                raise ValueError(f'addition "{addition.kind}" adds nothing: give one registry a count of 1 or more')
        return self

    @property
    def file(self) -> Path:
        """The file that was read, absolute."""
        return self._file

    @property
    def folder(self) -> Path:
        """What relative paths in the file are relative to."""
        return self._file.parent

    @property
    def python(self) -> Path:
        """The site's interpreter; its link is kept, for that is what makes it a virtual environment."""
        return self.folder / Path(self.site.python).expanduser()

    @property
    def checkout(self) -> Path | None:
        """The live tree, if one is configured."""
        return self._path(self.site.checkout)

    @property
    def remote(self) -> str:
        """An address, an absolute path, or (without any slash) the name of a remote of the operator's checkout."""
        value = self.site.remote
        if is_url(value) or "/" not in value:
            return value
        return str((self.folder / Path(value).expanduser()).resolve())

    @property
    def provide(self) -> tuple[tuple[str, Path], ...]:
        """What check copies get beside the tree: the place in the copy, and the host's file or folder."""
        return tuple((place.rstrip("/"), self.folder / place) for place in self.site.provide)

    @property
    def state_dir(self) -> Path | None:
        """The state folder that the file asks for, if any."""
        return self._path(self.state.dir)

    @property
    def page_folder(self) -> Path | None:
        """Where the page is written as files, if the file names a folder; otherwise it is in the state folder."""
        return self._path(self.page.folder)

    @property
    def api_key_file(self) -> Path | None:
        """The file that holds the model's key, if one is named."""
        return self._path(self.credentials.api_key_file)

    @property
    def ssh_key(self) -> Path | None:
        """The deploy key, if one is named."""
        return self._path(self.credentials.ssh_key)

    @property
    def known_hosts(self) -> Path | None:
        """The pinned host keys, if a file is named."""
        return self._path(self.credentials.known_hosts)

    @property
    def token_file(self) -> Path | None:
        """The file that holds the push token, if one is named."""
        return self._path(self.credentials.token_file)

    @property
    def additions(self) -> tuple[Addition, ...]:
        """What counts as one thing, for the guards."""
        return tuple(addition.value for addition in self.addition)

    @property
    def sources(self) -> tuple[Source, ...]:
        """Where registries are kept; the URL map is not among them."""
        return tuple(registry.value for registry in self.registry)

    @property
    def field_rules(self) -> dict[str, dict[str, FieldRule]]:
        """What the owner says about fields, by registry."""
        return {one.name: {name: rule.value for name, rule in one.fields.items()} for one in self.registry}

    @property
    def limits(self) -> Limits:
        """How large a change may be."""
        return Limits(self.cycle.max_files, self.cycle.max_added_lines, self.cycle.max_file_bytes)

    @property
    def model_names(self) -> dict[str, str]:
        """The model of each node that speaks to one."""
        return {"build": self.models.build, "validate": self.models.validate_, "fix": self.models.fix}

    @property
    def prices(self) -> dict[str, dict[str, float]]:
        """US dollars per million tokens by model, for `input`, `output`, `cache_read` and `cache_write`."""
        return {model: price.table for model, price in self.models.prices.items()}

    def allowance(self) -> Allowance:
        """What one cycle may spend."""
        budget = self.budget
        return Allowance(budget.model_calls, budget.tokens_per_cycle, budget.usd_per_cycle, budget.minutes * 60.0)

    def loading(self, read: tuple[str, ...] = ()) -> SiteValue:
        """How to load the site in a sandbox; `read` are the host folders that its interpreter needs."""
        site = self.site
        python, env = str(self.python), dict(site.env)
        return SiteValue(site.app, python, read, site.path, env, site.locales, site.locale_by, self.sources)

    def table(self) -> dict[str, object]:
        """The effective values as the file would spell them."""
        return _named(self.model_dump(mode="json", by_alias=True))

    def _path(self, value: str) -> Path | None:
        return self.folder / Path(value).expanduser() if value else None


def _named(table: Mapping[str, object]) -> dict[str, object]:
    """Without the keys that stand for nothing: TOML has no word for that."""
    found = {name: value for name, value in table.items() if value is not None}
    return {name: _deep(value) for name, value in found.items()}


def _deep(value: object) -> object:
    if isinstance(value, dict):
        return _named(value)
    return [_deep(item) for item in value] if isinstance(value, list | tuple) else value


def digest(settings: Settings) -> str:
    """A SHA-256 of the values that a cycle's way depends on: not of where keys and records lie, or who is told when."""
    table: Mapping[str, object] = {name: value for name, value in settings.table().items() if name not in _ASIDE}
    return hashlib.sha256(json.dumps(table, sort_keys=True, ensure_ascii=True).encode()).hexdigest()


def schema() -> dict[str, object]:
    """The file's JSON Schema (2020-12): every key, its type and default; `load` checks what a schema cannot say."""
    described = Settings.model_json_schema(by_alias=True, mode="serialization")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **described, "title": "plusone.toml"}
