"""One more file of a registry of files: a sibling's front matter with its values exchanged, and another body."""

from __future__ import annotations

import tomllib
from pathlib import PurePosixPath

import yaml

from bot.drill.data import Files, cuts_of, exchanged, toml
from bot.drill.draft import BODY, Draft, Wish, sketched
from bot.drill.drill import NotHere
from bot.drill.scene import Scene
from bot.model import Source
from bot.sources.front import split
from bot.workspace.policy import matches


def one_more(scene: Scene, source: Source, wish: Wish, files: Files) -> tuple[Draft, Files]:
    """A file beside a sibling's. Raises NotHere."""
    paths = [path for path in scene.entries if matches(path, (source.glob,)) and scene.allowed(path)]
    if not paths:
        raise NotHere(f"no file of {source.name} may be touched")
    path = PurePosixPath(paths[wish.at % len(paths)])
    text = scene.text(str(path))
    fields, body = split(text)
    key = path.stem if source.key == "stem" else str(fields.get(source.key, ""))
    draft = sketched(scene, source, wish, key)
    stem = draft.key if source.key == "stem" else draft.stem(path.stem)
    made = path.with_name(stem + path.suffix)
    if str(made) in files or not scene.allowed(str(made)) or not matches(str(made), (source.glob,)):
        raise NotHere(f"no file may be put beside {path}")
    head = text[: len(text) - len(body)]
    return draft, {str(made): _head(head, draft) + str(draft.value((BODY,), body))}


def _head(head: str, draft: Draft) -> str:
    """The front matter with its fences."""
    lines = head.splitlines(keepends=True)
    if len(lines) < 2:
        return head
    inside = "".join(lines[1:-1])
    if lines[0].startswith("+++"):
        held = tomllib.loads(inside)
        inside = "".join(f"{name} = {toml(draft, (name,), value)}\n" for name, value in held.items())
    elif node := yaml.compose(inside, Loader=yaml.SafeLoader):
        inside = exchanged(inside, 0, len(inside), list(cuts_of(node, (), draft, inside)))
    return lines[0] + inside + lines[-1]
