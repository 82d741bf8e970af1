"""Likely registries outside the source: folders of texts with front matter, and data files."""

from __future__ import annotations

import json
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

import yaml

from bot.init.registries import Likely, key_of, plain, told_apart
from bot.init.repository import Checkout

_NAME = re.compile(r"[^a-z0-9_-]+")
_NO_CONTENT = {"package.json", "package-lock.json", "pyproject.toml", "tsconfig.json", "composer.json", "uv.lock"}
_MOST = 200


def front_matter(checkout: Checkout) -> Iterator[Likely]:
    """Folders in which every Markdown file begins with front matter, two of them at least."""
    folders: dict[str, list[str]] = defaultdict(list)
    for path in checkout.below(".md", ".markdown"):
        if "/" in path and checkout.text(path)[:4] in ("---\n", "+++\n"):
            folders[str(PurePosixPath(path).parent)].append(path)
    for folder, paths in sorted(folders.items()):
        stems = [PurePosixPath(path).stem for path in paths]
        if told_apart(stems) and (name := _name(PurePosixPath(folder).name)):
            yield Likely(name, "files", f"{folder}/*{PurePosixPath(paths[0]).suffix}", "stem", len(stems))


def data_files(checkout: Checkout) -> Iterator[Likely]:
    """Lists and mappings of like things, at the top of a file or one step below."""
    paths = [path for path in checkout.below(".yaml", ".yml", ".json", ".toml") if _may_hold(path)]
    for path in paths[:_MOST]:
        content = _parsed(path, checkout.text(path))
        inside = content.items() if isinstance(content, dict) and not _keys(content) else ()
        for at, value in [("", content), *inside]:
            found, name = _keys(value), _name(str(at) or PurePosixPath(path).stem)
            if found and name and "." not in str(at):
                yield Likely(name, "data", path, found[0], found[1], at=str(at))


def _may_hold(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return len(parts) > 1 and parts[-1] not in _NO_CONTENT and not any(part.startswith(".") for part in parts)


def _parsed(path: str, text: str) -> object:
    try:
        if path.endswith(".json"):
            return json.loads(text)
        if path.endswith(".toml"):
            return tomllib.loads(text)
        return None if "&" in text and "*" in text else yaml.safe_load(text)  # no aliases: they can grow without end
    except (ValueError, yaml.YAMLError, RecursionError):
        return None


def _keys(value: object) -> tuple[str, int] | None:
    if isinstance(value, dict) and all(isinstance(item, dict) for item in value.values()):
        keys = [str(key) for key in value]
        return ("key", len(keys)) if told_apart(keys) else None
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        return key_of([plain(item) for item in value])
    return None


def _name(text: str) -> str:
    """As a registry may be called; empty where nothing is left."""
    return _NAME.sub("-", text.lower()).strip("-0123456789_")[:64]
