"""Scripts for the demo's site: short visits of the builder, the fixer and the reviewer."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from bot.demo import ending

Block = dict[str, object]
Turn = list[Block]
Visit = list[Turn]
Play = dict[str, list[Visit]]

ARTICLES = "src/lights/content/articles.py"
SLUG = "the-lamp-of-grey-head"
BODY = "The lamp burnt colza oil until 1921, and every can was carried up."
YES = '{"verdict": "approve", "reasons": ["One article, as claimed."]}'
NO = '{"verdict": "reject", "reasons": ["The year has no source."]}'
DOCSTRING = '"""The articles, oldest first."""\n'
HEAD = "ARTICLES = [\n"


def shipped(name: str) -> Path:
    """The script that comes with the demo for an ending."""
    script = ending(name).script
    assert script is not None
    return script


def bash(command: str) -> Turn:
    """A turn that runs one command."""
    return [{"type": "tool_use", "name": "bash", "input": {"command": command}}]


def say(words: str) -> Turn:
    """A turn of words alone."""
    return [{"type": "text", "text": words}]


def replacing(old: str, new: str, path: str = ARTICLES) -> Turn:
    """A turn that replaces a text, which stands once, in a file."""
    given = {"command": "str_replace", "path": f"/w/{path}", "old_str": old, "new_str": new}
    return [{"type": "tool_use", "name": "str_replace_based_edit_tool", "input": given}]


def told(slug: str) -> str:
    """A text that no other article has: its words follow from the slug."""
    words = hashlib.sha256(slug.encode()).hexdigest().translate(str.maketrans("0123456789", "ghijklmnop"))
    return f"It burnt oil until 1921: {' '.join(words[start : start + 4] for start in range(0, 32, 4))}."


def article(slug: str = SLUG, body: str = "") -> Turn:
    """A turn that puts one article at the head of the registry, where more of them find room."""
    entry = {"slug": slug, "title": slug.replace("-", " ").capitalize(), "date": "2018-10-01"}
    entry |= {"summary": f"Oil, carried up the stairs of {slug}.", "body": body or told(slug)}
    lines = "".join(f"        {json.dumps(key)}: {json.dumps(value)},\n" for key, value in entry.items())
    return replacing(HEAD, HEAD + "    {\n" + lines + '        "tags": ["fog"],\n    },\n')


def submit(kind: str = "article", key: str = SLUG, routes: tuple[str, ...] = (f"/articles/{SLUG}",)) -> Turn:
    """A turn that hands in."""
    given = {"kind": kind, "key": key, "summary": "Add it", "routes": [*routes], "changes": [], "sources": []}
    return [{"type": "tool_use", "name": "submit", "input": given}]


def play(build: list[Turn], validate: tuple[str, ...] = (), fix: tuple[Turn, ...] = ()) -> Play:
    """A script: one visit to build, one with each text of the reviewer, one with each turn of the fixer."""
    return {
        "build": [build],
        "validate": [[say(words)] for words in validate],
        "fix": [[turn, say("Mended.")] for turn in fix],
    }
