"""What a drill is written for: the site at base, its registries and rules, and what its owner allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from bot.drill.drill import NotHere
from bot.model import Holdings, Source, TreeEntry
from bot.settings import Settings
from bot.workspace.policy import Policy


@dataclass
class Scene:
    """`read` gives the content of a file at base. Paths are relative to the repository's root."""

    settings: Settings
    entries: Mapping[str, TreeEntry]
    holdings: Holdings
    read: Callable[[TreeEntry], bytes]

    def content(self, path: str) -> bytes:
        """A file at base. Raises NotHere where there is none."""
        entry = self.entries.get(path)
        if entry is None or entry.size is None:
            raise NotHere(f"there is no file {path}")
        return self.read(entry)

    def text(self, path: str) -> str:
        """The same as text. Raises NotHere where it is none."""
        try:
            return self.content(path).decode("utf-8")
        except UnicodeDecodeError:
            raise NotHere(f"{path} is no text") from None

    @cached_property
    def policy(self) -> Policy:
        """Which paths a change may touch."""
        said = self.settings.cycle
        return Policy(said.allow, said.protected, said.max_file_bytes)

    def allowed(self, path: str) -> bool:
        """Whether a change may touch or make the file."""
        return self.policy.judge(path, tracked=path in self.entries) == "allowed"

    def files(self, *endings: str) -> tuple[str, ...]:
        """The base's files that a change may touch, by their ending."""
        return tuple(path for path in self.entries if path.endswith(endings) and self.allowed(path))

    def kind(self, registry: str) -> str:
        """A kind of addition of which one more entry of the registry is a legal one. Raises NotHere."""
        for one in self.settings.additions:
            if all((1 if name == registry else 0) in span for name, span in one.adds.items()) and registry in one.adds:
                return one.kind
        raise NotHere(f"no [[addition]] lets one entry of {registry} be added alone")

    @cached_property
    def sources(self) -> tuple[Source, ...]:
        """The registries that one more entry may be added to."""
        known = {name for one in self.settings.additions for name in one.adds}
        return tuple(one for one in self.settings.sources if one.name in known)
