"""Small made-up sites with one registry, read back without running a site, to see what a drill's entry does to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from bot.drill.added import Added
from bot.drill.draft import Wish
from bot.drill.entry import PLAIN, entry
from bot.drill.scene import Scene
from bot.model import Claim, Entry, Holdings, Objection, Registry, Rule, Source, TreeEntry
from bot.sources.front import split
from bot.sources.structure import read, settled
from bot.workspace.policy import matches
from guards import plain
from guards.claim_holds import claim_holds
from guards.duplicates import duplicates
from guards.fields_once import fields_once
from guards.nothing_taken import nothing_taken
from guards.one_addition import one_addition
from guards.siblings import siblings
from tests.support.holdings import facts
from tests.support.settings import loaded

GUARDS = (one_addition, nothing_taken, claim_holds, fields_once, duplicates, siblings)
SETTINGS = """\
[site]
name = "shelf"
app = "shop:app"

[cycle]
allow = ["**"]

[[registry]]
name = "things"
{registry}
page = "/things/{{{key}}}"

[[addition]]
kind = "article"
adds = {{ things = 1 }}
"""


@dataclass(frozen=True)
class Shelf:
    """The site's files, and what its configuration says of the registry."""

    folder: Path
    files: Mapping[str, str]
    said: Mapping[str, str]

    @property
    def source(self) -> Source:
        """The registry."""
        return self.scene.sources[0]

    @property
    def scene(self) -> Scene:
        """As a drill sees it."""
        lines = "\n".join(f'{name} = "{text}"' for name, text in self.said.items())
        settings = loaded(self.folder, SETTINGS.format(registry=lines, key=self.said["key"]))
        entries = {path: TreeEntry("100644", path, len(text)) for path, text in sorted(self.files.items())}
        return Scene(settings, entries, self.holdings(), lambda one: self.files[one.oid].encode())

    def holdings(self) -> Holdings:
        """What the files hold."""
        rule = Rule("/things/<key>", "thing", ("GET",), ("key",))
        return Holdings((Registry("things", tuple(_entries(self.files, self.said))),), (rule,))

    def added(self, wish: Wish = PLAIN, onto: Added | None = None) -> Added:
        """One more entry."""
        return entry(self.scene, self.source, wish, onto)

    def with_files(self, added: Added) -> Shelf:
        """The site after it."""
        return replace(self, files={**self.files, **added.files})

    def objections(self, added: Added) -> list[Objection]:
        """What the guards say of it."""
        claim = Claim(added.kind, added.key, added.summary, added.routes)
        additions = self.scene.settings.additions
        known = facts(self.with_files(added).holdings(), claim, self.holdings(), additions=additions)
        return [one for guard in GUARDS for one in guard(known)]


def _entries(files: Mapping[str, str], said: Mapping[str, str]) -> list[Entry]:
    key = said["key"]
    if said["source"] == "files":
        paths = [path for path in sorted(files) if matches(path, (said["glob"],))]
        halves = {path: split(files[path]) for path in paths}
        whole = {path: {**fields, "<body>": body} for path, (fields, body) in halves.items()}
        return [Entry(*plain.entry(settled(one), key, PurePosixPath(path).stem)) for path, one in whole.items()]
    if said["source"] == "data":
        kind = {".yaml": "yaml", ".json": "json", ".toml": "toml"}[PurePosixPath(said["file"]).suffix]
        held = read(kind, files[said["file"]])
        for part in said["at"].split(".") if said.get("at") else ():
            assert isinstance(held, dict)
            held = held[part]
        return _of(settled(held), key)
    module, _, name = said["object"].partition(":")
    space: dict[str, object] = {"__name__": __name__}  # dataclasses look their module up
    exec(files[f"{module}.py"], space)
    return _of(space[name], key)


def _of(held: object, key: str) -> list[Entry]:
    pairs = list(held.items()) if isinstance(held, dict) else [(None, one) for one in held]  # type: ignore[attr-defined]
    return [Entry(*plain.entry(value, key, own)) for own, value in pairs]
