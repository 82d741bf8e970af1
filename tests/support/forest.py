"""Trees of a real store, looked at as the parsers of registries look at them."""

from __future__ import annotations

from collections.abc import Mapping

from bot.model import Entry, Source
from bot.sources import Tree, parsed, spelling
from bot.sources.spelling import Spelling
from tests.support.repository import Scene


def tree(ground: Scene, files: Mapping[str, str | bytes]) -> Tree:
    """Base with these files added."""
    content = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}
    made = ground.store.write_tree(ground.base_tree, {path: ("100644", held) for path, held in content.items()})
    return Tree(ground.store, made)


def keepers(ground: Scene, files: Mapping[str, str | bytes], key: str = "stem") -> tuple[Entry, ...]:
    """The registry of the files in `keepers/`."""
    return parsed(tree(ground, files), Source("keepers", "files", key, glob="keepers/**/*.md")).entries


def harbours(
    ground: Scene, text: str | bytes, name: str = "h.yaml", at: str = "", key: str = "id"
) -> tuple[Entry, ...]:
    """The registry of one data file."""
    return parsed(tree(ground, {name: text}), Source("harbours", "data", key, file=name, at=at)).entries


def spelt(ground: Scene, text: str, name: str = "THINGS", files: Mapping[str, str] | None = None) -> Spelling:
    """What a module `data` spells; `files` are further modules."""
    source = Source("things", "python", "slug", object=f"data:{name}")
    return spelling(tree(ground, {"data.py": text, **(files or {})}), (".",), source)
