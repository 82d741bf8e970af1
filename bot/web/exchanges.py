"""What was said to models and what they answered, read from a cycle's recording for people."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from bot.agents.answer import assemble
from bot.agents.recording import Exchange, load
from bot.errors import ScriptError
from bot.frozen import frozen
from bot.lines import printable

MOST, LONGEST = 200, 20_000


@frozen
class Said:
    """One piece of an exchange: who spoke, what kind of piece, and its text."""

    who: str
    kind: str
    text: str


@frozen
class Told:
    """One request and its answer: a title, and what is new in it since the one before."""

    title: str
    pieces: tuple[Said, ...]


def exchanges(path: Path) -> tuple[Told, ...]:
    """In the order in which they were made; none where there is no recording, a note where it cannot be read."""
    if not path.exists():
        return ()
    try:
        found = load(path).exchanges
    except ScriptError as error:
        return (Told("the recording cannot be read", (Said("plusone", "text", printable(str(error))),)),)
    return tuple(_told(one) for one in found[:MOST])


def _told(one: Exchange) -> Told:
    status = "no answer" if one.status is None else str(one.status)
    title = f"{one.node}, visit {one.visit}, call {one.seq}: {status}"
    return Told(title, (*_asked(one), *_answered(one)))


def _asked(one: Exchange) -> Iterator[Said]:
    """The system text once, then the newest message: the others were in the requests before."""
    if one.seq == 1:
        yield from _pieces("system", one.request.get("system"))
    messages = one.request.get("messages")
    if isinstance(messages, list) and messages and isinstance(messages[-1], Mapping):
        yield from _pieces(str(messages[-1].get("role", "user")), messages[-1].get("content"))


def _answered(one: Exchange) -> Iterator[Said]:
    if one.error:
        yield Said("model", "error", _cut(one.error))
    try:
        answer = assemble(_events(one.body))
    except (KeyError, TypeError, ValueError, AttributeError):
        answer = None
    if answer is None:
        yield Said("model", "raw", _cut(one.body))
    else:
        yield from _pieces("model", list(answer.blocks))


def _events(body: str) -> Iterator[Mapping[str, object]]:
    for line in body.splitlines():
        if line.startswith("data:"):
            event = json.loads(line.removeprefix("data:"))
            if isinstance(event, Mapping):
                yield event


def _pieces(who: str, content: object) -> Iterator[Said]:
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, str):
            yield Said(who, "text", _cut(block))
        elif isinstance(block, Mapping):
            yield _piece(who, block)


def _piece(who: str, block: Mapping[str, object]) -> Said:
    kind = str(block.get("type", "?"))
    if kind in ("text", "thinking"):
        return Said(who, kind, _cut(str(block.get(kind, ""))))
    if kind == "tool_use":
        name, given = str(block.get("name", "?")), block.get("input")
        return Said(who, f"uses {name}", _cut(json.dumps(given, indent=1, ensure_ascii=False)))
    if kind == "tool_result":
        return Said("tool", "result", _cut("\n".join(piece.text for piece in _pieces("tool", block.get("content")))))
    return Said(who, kind, _cut(json.dumps(dict(block), ensure_ascii=False)))


def _cut(text: str) -> str:
    """What does not print is spelt out; the recording itself keeps all of it."""
    return printable(text[:LONGEST] + (f"\n… {len(text) - LONGEST} characters more" if len(text) > LONGEST else ""))
