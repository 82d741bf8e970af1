"""One answer of the model, put together from the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bot.frozen import frozen

Block = dict[str, Any]

_DEEPEST = 20  # levels in a tool's input: none of ours asks for more than three
_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


@frozen
class Answer:
    """The content blocks of one turn, as the Messages API wants them back, and why the turn stopped."""

    blocks: tuple[Block, ...]
    stop: str

    @property
    def text(self) -> str:
        """All its text blocks, joined."""
        return "".join(str(block.get("text", "")) for block in self.blocks if block.get("type") == "text")

    @property
    def uses(self) -> tuple[Block, ...]:
        """The calls of our own tools, in order."""
        return tuple(block for block in self.blocks if block.get("type") == "tool_use")


def assemble(events: Iterable[Mapping[str, Any]]) -> Answer | None:
    """The whole answer, or None when the stream ended before the answer did.

    Half a character (a lone surrogate), which no request could carry back, is replaced in all its texts.
    """
    blocks: dict[int, Block] = {}
    partial: dict[int, str] = {}
    stop = ""
    whole = False
    for event in events:
        match event.get("type"):
            case "content_block_start":
                blocks[event["index"]] = dict(event["content_block"])
            case "content_block_delta":
                _grow(blocks[event["index"]], partial, event["index"], event["delta"])
            case "message_delta":
                stop = event["delta"].get("stop_reason") or stop
            case "message_stop":
                whole = True
    if not whole:
        return None
    for index, text in partial.items():
        blocks[index]["input"] = _input(text)
    return Answer(tuple(_sound(blocks[index]) for index in sorted(blocks)), stop)


def _grow(block: Block, partial: dict[int, str], index: int, delta: Mapping[str, Any]) -> None:
    kind = delta.get("type", "")
    if kind == "input_json_delta":
        partial[index] = partial.get(index, "") + delta["partial_json"]
    elif kind == "citations_delta":
        block["citations"] = [*(block.get("citations") or ()), delta["citation"]]
    elif kind in _GROWING:
        field = _GROWING[kind]
        block[field] = (block.get(field) or "") + delta[field]


def _input(text: str) -> dict[str, Any]:
    """The tool's input; what is no JSON object, or nests without need, is an empty one: the tool refuses it by name."""
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) and not _is_deep(found) else {}


def _is_deep(found: object) -> bool:
    """Whether it nests so far that who walks it later, level by level, would run out of stack."""
    level = [found]
    for _ in range(_DEEPEST):
        level = [one for each in level for one in _inside(each)]
    return bool(level)


def _inside(found: object) -> Iterable[object]:
    return found.values() if isinstance(found, dict) else found if isinstance(found, list) else ()


def _sound(found: Any) -> Any:  # what JSON is made of, in and out
    if isinstance(found, str):
        return found.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if isinstance(found, dict):
        return {_sound(name): _sound(one) for name, one in found.items()}
    return [_sound(one) for one in found] if isinstance(found, list) else found
