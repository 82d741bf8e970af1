"""What a site says it holds: registries, entries and URL rules, as read from one tree."""

from __future__ import annotations

from typing import Literal

from bot.frozen import frozen


@frozen
class Entry:
    """One entry of a registry; `content` is its canonical JSON (sorted keys), so equal content is equal text."""

    key: str
    content: str


@frozen
class Registry:
    """A named set of entries in the order that the site keeps; a key may stand twice, which a guard objects to."""

    name: str
    entries: tuple[Entry, ...]


@frozen
class Rule:
    """One URL rule of the site. `host` is its subdomain or host, empty where it has none.

    `static` means that the view only sends files; `module` is the view's file, relative to the tree, if it lies there.
    """

    rule: str
    endpoint: str
    methods: tuple[str, ...]
    arguments: tuple[str, ...] = ()
    defaults: tuple[str, ...] = ()
    converters: dict[str, str] | None = None
    host: str = ""
    static: bool = False
    module: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """Its keys in the ledger, `METHOD rule`, the methods that Flask adds by itself left out."""
        where = f"{self.host}|{self.rule}" if self.host else self.rule
        return tuple(f"{method} {where}" for method in sorted(self.methods) if method not in ("HEAD", "OPTIONS"))


@frozen
class Holdings:
    """All that one tree holds: its configured registries and its URL map.

    `written` are those registries that the source spells out, as it spells them, parsed and never run; an entry whose
    content is no plain literal has an empty one there. `wiring` tells how the application is put together, by
    `kind name`; None where nobody asked.
    """

    registries: tuple[Registry, ...]
    rules: tuple[Rule, ...]
    written: tuple[Registry, ...] = ()
    wiring: dict[str, str] | None = None

    def registry(self, name: str) -> Registry:
        """The registry of that name; `url_map` is derived from the rules. Raises KeyError for an unknown name."""
        if name == "url_map":
            return self.url_map
        for registry in self.registries:
            if registry.name == name:
                return registry
        raise KeyError(name)

    @property
    def url_map(self) -> Registry:
        """The URL rules as a registry: key `METHOD rule`, content the endpoint."""
        return Registry("url_map", tuple(Entry(key, rule.endpoint) for rule in self.rules for key in rule.keys))

    @property
    def names(self) -> tuple[str, ...]:
        """Every registry's name, `url_map` last."""
        return (*(registry.name for registry in self.registries), "url_map")


@frozen
class Range:
    """How many new keys an addition may bring: inclusive at both ends."""

    least: int
    most: int

    def __contains__(self, number: int) -> bool:
        return self.least <= number <= self.most


@frozen
class Addition:
    """What counts as one thing of one kind: new keys by registry; registries not named must not change."""

    kind: str
    adds: dict[str, Range]


@frozen
class Limits:
    """How large a change may be, over what the agent wrote."""

    max_files: int = 12
    max_added_lines: int = 400
    max_file_bytes: int = 200_000


@frozen
class FieldRule:
    """What the owner says about one field of a registry's entries, over what its siblings suggest.

    `required` None leaves the siblings to say it; `open` means that no likeness to the siblings' values is asked.
    """

    required: bool | None = None
    open: bool = False


@frozen
class Source:
    """Where a registry is kept (DESIGN §5). `page` is a URL with the key in braces; empty: entries have no page."""

    name: str
    source: Literal["python", "files", "data"]
    key: str
    object: str = ""
    glob: str = ""
    file: str = ""
    at: str = ""
    page: str = ""


@frozen
class Site:
    """How to load the site in a sandbox: nothing here is a secret.

    `app` is as for `flask --app`; `path` are folders of the tree for `sys.path`, after the standard library and before
    site-packages; `python` is the site's interpreter, `read` the host folders it needs; `env` is all its environment.
    """

    app: str
    python: str
    read: tuple[str, ...] = ()
    path: tuple[str, ...] = (".",)
    env: dict[str, str] | None = None
    locales: tuple[str, ...] = ()
    locale_by: str = "accept-language"
    sources: tuple[Source, ...] = ()
