"""Likely registries in the source: lists and mappings of like things with keys of their own, by parsing alone."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from bot.frozen import frozen
from bot.init.rules import Rule
from bot.init.sources import Module, assignments, text

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._~-]*")
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,63}")
_KEYS = ("slug", "id", "key", "code", "handle", "name")
_FEWEST = 2


@frozen
class Likely:
    """A likely registry: how `plusone.toml` would say it. `place` is the value of object, glob or file."""

    name: str
    source: str
    place: str
    key: str
    count: int
    page: str = ""
    at: str = ""

    @property
    def kind(self) -> str:
        """One thing of it, in a word."""
        return singular(self.name)


def written_in(modules: tuple[Module, ...]) -> Iterator[Likely]:
    """Those that modules hold at their top level."""
    for module in modules:
        for name, value in assignments(module):
            known = name.lower().strip("_")
            if _NAME.fullmatch(known) and name.isascii() and (found := _keys(value)):
                key, count = found
                yield Likely(known, "python", f"{module.name}:{name}", key, count)


def _keys(value: ast.expr) -> tuple[str, int] | None:
    """The field whose values tell the entries apart, and how many there are; `key` for a mapping's own keys."""
    if isinstance(value, ast.Dict):
        keys = [text(key) for key in value.keys if key is not None]
        like = [item for item in value.values if isinstance(item, ast.Dict | ast.Call)]
        return ("key", len(keys)) if len(like) == len(value.keys) and told_apart(keys) else None
    if not isinstance(value, ast.List | ast.Tuple) or not value.elts:
        return None
    entries = [_fields(item) for item in value.elts]
    return key_of([entry for entry in entries if entry is not None]) if None not in entries else None


def _fields(item: ast.expr) -> dict[str, str] | None:
    """The constant texts and whole numbers of an entry by field; None for what is no entry."""
    if isinstance(item, ast.Dict):
        return {text(key): _constant(value) for key, value in zip(item.keys, item.values, strict=True)}
    if isinstance(item, ast.Call) and item.keywords:
        return {one.arg: _constant(one.value) for one in item.keywords if one.arg}
    return None


def _constant(node: ast.expr) -> str:
    """A constant text, or a whole number as it stands in an address; empty for anything else."""
    number = isinstance(node, ast.Constant) and type(node.value) is int
    return ast.unparse(node) if number else text(node)


def key_of(entries: list[dict[str, str]]) -> tuple[str, int] | None:
    """The usual key of such entries, else any field that could be one."""
    shared = [name for name in entries[0] if all(name in entry for entry in entries)] if entries else []
    for name in (*(one for one in _KEYS if one in shared), *shared):
        if told_apart([entry[name] for entry in entries]):
            return name, len(entries)
    return None


def told_apart(keys: list[str]) -> bool:
    """Whether these could be keys: enough, all different, each fit for an address."""
    return len(keys) >= _FEWEST and len(set(keys)) == len(keys) and all(_SLUG.fullmatch(key) for key in keys)


def with_pages(found: Iterable[Likely], known: tuple[Rule, ...]) -> tuple[Likely, ...]:
    """Each with the page that its entries have, where a rule speaks of it; names are made unique."""
    placed = [_placed(one, known) for one in found]
    named: dict[str, Likely] = {}
    for one in sorted(placed, key=lambda one: not one.page):
        name = one.name if one.name not in named else f"{one.name}-{len(named)}"
        named[name] = replace(one, name=name)
    return tuple(named.values())


def _placed(one: Likely, known: tuple[Rule, ...]) -> Likely:
    """A page has one argument and nearly the registry's name in its path, or else in its view's; the shortest first."""
    pages = [rule for rule in known if "GET" in rule.methods and len(rule.arguments) == 1]
    fitting = [rule for rule in pages if _speaks_of(one, rule.words)]
    fitting = fitting or [rule for rule in pages if _speaks_of(one, rule.view.split("_"))]
    exact = [rule for rule in fitting if rule.arguments[0] in (one.key, f"{one.kind}_{one.key}")]
    chosen = min(exact or fitting, key=lambda rule: (len(rule.words), rule.rule), default=None)
    if chosen is None:
        return one
    key = chosen.arguments[0] if one.key == "key" else one.key
    return replace(one, key=key, page=chosen.page(key))


def _speaks_of(one: Likely, words: Iterable[str]) -> bool:
    names = {one.name, one.kind}
    return bool(names & {word.lower() for part in words for word in (part, singular(part.lower()))})


def singular(name: str) -> str:
    """One of them, in English; the same word where it does not look like several."""
    if name.endswith("ies") and len(name) > 4:
        return name[:-3] + "y"
    if name.endswith(("sses", "xes", "ches", "shes")):
        return name[:-2]
    return name[:-1] if name.endswith("s") and not name.endswith("ss") and len(name) > 2 else name


def plain(entry: Mapping[object, object]) -> dict[str, str]:
    """The texts and whole numbers of a data file's entry."""
    return {str(key): str(value) for key, value in entry.items() if isinstance(value, str | int)}
