"""One more entry in a file of data: in YAML, JSON and TOML, a sibling's own lines with its values exchanged."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from datetime import date, datetime, time
from pathlib import PurePosixPath

import yaml

from bot.drill.draft import ITEM, Draft, Path, Wish, sketched
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.model import Source

Cut = tuple[int, int, str]
Files = dict[str, str]
_LOADER = yaml.SafeLoader


def inserted(scene: Scene, source: Source, wish: Wish, files: Files) -> tuple[Draft, Files]:
    """The file with one more entry, nothing else of it changed. Raises NotHere."""
    if not scene.allowed(source.file):
        raise NotHere(f"{source.name} is kept in {source.file}, which a change may not touch")
    text = files.get(source.file) or scene.text(source.file)
    keys = [one.key for one in scene.holdings.registry(source.name).entries]
    if not keys:
        raise NotHere(f"{source.name} has no entry to be like")
    draft = sketched(scene, source, wish, keys[wish.at % len(keys)])
    kind = PurePosixPath(source.file).suffix.lower()
    made = in_toml(text, source, draft) if kind == ".toml" else in_yaml(text, source, draft)
    return draft, {source.file: made}


def in_yaml(text: str, source: Source, draft: Draft) -> str:
    """For YAML and JSON, which is read as YAML in flow style."""
    plain = text.replace("\t", " ")  # as wide, and YAML knows no tabs
    node = _inside(yaml.compose(plain, Loader=_LOADER), source.at)
    for own, item in _items(node):
        fields = {str(key.value): value for key, value in _mapping(item)}
        key = own or fields.get(source.key)
        if key is not None and str(key.value) == draft.like.key:
            cuts = list(cuts_of(item, (), draft, text))
            if own is not None:
                cuts.append((own.start_mark.index, own.end_mark.index, scalar(draft.key, own, text)))
            return _behind(text, (own or item).start_mark.index, _end(item, text), cuts, bool(node.flow_style))
    raise NotHere(f"{source.file} does not spell the entry {draft.like.key!r} out")


def _behind(text: str, start: int, end: int, cuts: list[Cut], flow: bool) -> str:
    """The text with the item's clone behind it: after a comma in flow style, on lines of its own in block style."""
    line = text.rfind("\n", 0, start) + 1
    lead = text[line:start]
    begin = start if flow else line
    clone = exchanged(text, begin, end, cuts)
    gap = (f",\n{lead}" if not lead.strip() else ", ") if flow else "\n"
    return text[:end] + gap + clone + text[end:]


def exchanged(text: str, start: int, end: int, cuts: list[Cut]) -> str:
    """That part of the text with other texts in it."""
    made, at = "", start
    for begin, stop, new in sorted(cuts):
        made, at = made + text[at:begin] + new, stop
    return made + text[at:end]


def _inside(node: yaml.Node | None, at: str) -> yaml.CollectionNode:
    for part in at.split(".") if at else ():
        named = {str(key.value): value for key, value in _mapping(node)}
        if isinstance(node, yaml.SequenceNode) and part.isdecimal() and int(part) < len(node.value):
            node = node.value[int(part)]
        else:
            node = named.get(part)
    if not isinstance(node, yaml.CollectionNode):
        raise NotHere(f"there is no list and no mapping at {at!r}")
    return node


def _items(node: yaml.CollectionNode) -> Iterator[tuple[yaml.ScalarNode | None, yaml.Node]]:
    if isinstance(node, yaml.SequenceNode):
        yield from ((None, one) for one in node.value)
    else:
        yield from _mapping(node)


def _mapping(node: yaml.Node | None) -> Iterator[tuple[yaml.ScalarNode, yaml.Node]]:
    if isinstance(node, yaml.MappingNode):
        yield from ((key, value) for key, value in node.value if isinstance(key, yaml.ScalarNode))


def cuts_of(node: yaml.Node, path: Path, draft: Draft, text: str) -> Iterator[Cut]:
    """Where the text of the node says something that the draft says otherwise."""
    if isinstance(node, yaml.ScalarNode):
        old = draft.leaves.get(path, node.value) if ITEM not in path else node.value
        new = draft.value(path, old if isinstance(old, int) else node.value)
        if new != old and str(new) != node.value:
            yield node.start_mark.index, _end(node, text), scalar(new, node, text)
    elif isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from cuts_of(one, (*path, ITEM), draft, text)
    else:
        for key, value in _mapping(node):
            yield from cuts_of(value, (*path, str(key.value)), draft, text)


def _end(node: yaml.Node, text: str) -> int:
    """Where its last word ends: a block's own mark lies behind the blank lines and comments after it."""
    last = [value for _, value in _mapping(node)] if isinstance(node, yaml.MappingNode) else node.value
    if isinstance(node, yaml.CollectionNode) and not node.flow_style and last:
        return _end(last[-1], text)
    end = int(node.end_mark.index)
    block = isinstance(node, yaml.ScalarNode) and node.style in ("|", ">")
    return len(text[:end].rstrip()) if block else end


def scalar(new: object, node: yaml.ScalarNode, text: str) -> str:
    """The value in the style of the one that it stands for."""
    if not isinstance(new, str):
        return str(new)
    if node.style in ("|", ">"):
        head, _, body = text[node.start_mark.index : _end(node, text)].partition("\n")
        indent = body[: len(body) - len(body.lstrip(" \n"))].rpartition("\n")[2]
        return head + "".join(f"\n{indent}{line}".rstrip(" ") for line in new.rstrip("\n").split("\n"))
    if node.style == "'":
        return "'" + " ".join(new.split()).replace("'", "''") + "'"
    plain = node.style is None and yaml.safe_load(f"- {new}\n") == [new] and "\n" not in new and ": " not in new
    return new if plain else json.dumps(new, ensure_ascii=False)


def in_toml(text: str, source: Source, draft: Draft) -> str:
    """For a TOML file whose entries are tables with headers of their own."""
    head = re.escape(source.at)
    for one in re.finditer(rf"(?m)^[ \t]*\[\[?\s*{head}[^\n\]]*\]\]?[^\n]*$", text):
        until = re.compile(r"(?m)^[ \t]*\[").search(text, one.end())
        end = until.start() if until else len(text)
        block = text[one.start() : end]
        if (made := _table(block, source, draft)) is not None:
            return text[: one.start()] + block.rstrip() + "\n\n" + made + ("\n" if until else "") + text[end:]
    raise NotHere(f"{source.file} has no table of its own for {draft.like.key!r}")


def _table(block: str, source: Source, draft: Draft) -> str | None:
    """The table anew, if it is the entry's."""
    held: object = tomllib.loads(block)
    for part in source.at.split(".") if source.at else ():
        held = held[part] if isinstance(held, dict) else None
    own, fields = None, held[0] if isinstance(held, list) else held
    header = block.split("\n", 1)[0]
    if isinstance(held, dict) and len(held) == 1 and "[[" not in header:
        own, fields = next(iter(held.items()))
    if not isinstance(fields, dict) or str(own or fields.get(source.key)) != draft.like.key:
        return None
    if own is not None:
        start = header.rindex(str(own))
        header = header[:start] + draft.key + header[start + len(str(own)) :]
    return header + "\n" + "".join(f"{name} = {toml(draft, (name,), value)}\n" for name, value in fields.items())


def toml(draft: Draft, path: Path, value: object) -> str:
    """The draft's value for that one, as TOML spells it."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{name} = {toml(draft, (*path, name), one)}" for name, one in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(toml(draft, (*path, ITEM), one) for one in value) + "]"
    if isinstance(value, date | datetime | time):
        return value.isoformat()
    return json.dumps(draft.value(path, value), ensure_ascii=False)
