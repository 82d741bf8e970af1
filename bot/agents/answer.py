"""One answer of the model, put together from the events of its stream."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from bot.frozen import frozen

Block = dict[str, Any]

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
    """The whole answer, or None when the stream ended before the answer did."""
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
    return Answer(tuple(blocks[index] for index in sorted(blocks)), stop)


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
    """The tool's input; what is no JSON object is an empty one, which the tool then refuses by name."""
    try:
        found = json.loads(text) if text else {}
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
