"""Registries of `source = "files"` and `source = "data"`, read from a tree without running anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import sha256
from pathlib import PurePosixPath

from bot.errors import SiteBroken
from bot.model import Entry, Registry, Source
from bot.sources.front import split
from bot.sources.structure import read, settled
from bot.sources.tree import Tree, decoded
from bot.sources.yaml_text import Mapped, Unreadable
from bot.workspace.policy import matches
from guards.plain import NoKey, entry

BODY = 64 * 1024
_KINDS = {".yaml": "yaml", ".yml": "yaml", ".json": "json", ".toml": "toml"}
Pair = tuple[object, object]


def parsed(tree: Tree, source: Source) -> Registry:
    """The registry as its files spell it; what stands twice stands twice.

    Raises SiteBroken, with the file and where known the line, for whatever cannot be read.
    """
    entries = _files(tree, source) if source.source == "files" else _data(tree, source)
    return Registry(source.name, tuple(entries))


def _files(tree: Tree, source: Source) -> Iterator[Entry]:
    """One entry a file, in the order of the paths; the body is the field `<body>`, cut with its digest if long."""
    paths = [path for path in tree.paths if matches(path, (source.glob,))]
    if not paths:
        raise SiteBroken(f"no file of the tree matches {source.glob}; correct the glob of registry {source.name!r}")
    for path, content in tree.contents(paths).items():
        own = PurePosixPath(path).stem if source.key == "stem" else None
        try:
            fields, body = split(decoded(path, content))
            yield _entry({**_plain(fields), "<body>": _bounded(body)}, source.key if own is None else "", own)
        except Unreadable as error:
            raise _broken(source, path, error) from error


def _data(tree: Tree, source: Source) -> Iterator[Entry]:
    kind = _KINDS.get(PurePosixPath(source.file).suffix.lower())
    if kind is None:
        raise SiteBroken(f"registry {source.name!r}: {source.file} is neither .yaml, .json nor .toml", source.file)
    try:
        for own, value in _pairs(_inside(read(kind, tree.text(source.file)), source.at)):
            yield _entry(settled(value), source.key, own)
    except Unreadable as error:
        raise _broken(source, source.file, error) from error


def _inside(value: object, at: str) -> object:
    """What the dotted path leads to; a number counts in a list."""
    for part in at.split(".") if at else ():
        if isinstance(value, dict):
            keys = {str(key): key for key in value}
            if part not in keys:
                raise Unreadable(f"has nothing at {at!r}: no {part!r} there")
            value = value[keys[part]]
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            raise Unreadable(f"has nothing at {at!r}: no {part!r} there")
    return value


def _pairs(value: object) -> Iterable[Pair]:
    if isinstance(value, Mapped):
        return value.pairs
    if isinstance(value, dict):
        return value.items()
    if isinstance(value, list):
        return ((None, one) for one in value)
    raise Unreadable("holds neither a list nor a mapping there")


def _entry(value: object, field: str, own: object) -> Entry:
    chosen = value.get(field) if isinstance(value, dict) else None
    if isinstance(chosen, dict | list):
        raise Unreadable(f"has an entry whose key {field!r} is no text: {str(chosen)[:60]}")
    try:
        return Entry(*entry(value, field, own))
    except NoKey as error:
        raise Unreadable(f"has {error}: {str(value)[:60]}") from error
    except ValueError as error:
        raise Unreadable("has a number of more digits than Python writes") from error


def _plain(fields: dict[object, object]) -> dict[object, object]:
    held = settled(fields)
    assert isinstance(held, dict)
    return held


def _bounded(body: str) -> str:
    if len(body) <= BODY:
        return body
    return f"{body[:BODY]}\n<cut: {len(body)} characters, sha256 {sha256(body.encode()).hexdigest()}>"


def _broken(source: Source, path: str, error: Unreadable) -> SiteBroken:
    where = f"{path}:{error.line}" if error.line else path
    return SiteBroken(f"registry {source.name!r}: {where}: {error.what}", where)
