"""The transport that answers from a script, as the Messages API streams its answers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

import httpx2

from bot.agents.script import Block, Script, Turn
from bot.agents.visits import Visits

_CHUNK = 400


class ScriptTransport(httpx2.BaseTransport):
    """Answers each request with the next turn of the visit under way; it keeps no position of its own.

    The turn is counted in the request's messages, so that a visit that is run again is answered alike.
    """

    def __init__(self, script: Script, visits: Visits) -> None:
        self._script, self._visits = script, visits

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """A stream of events. Raises ScriptError where the script has no call for this visit."""
        content = request.read()
        asked = json.loads(content)
        number = sum(message["role"] == "assistant" for message in asked["messages"])
        visit = self._visits.now()
        turn = self._script.turn(visit.node, visit.number, number)
        name = f"{visit.node}_{visit.number}_{number + 1}"
        parts = [_frame(event) for event in _events(turn, name, str(asked["model"]), len(content))]
        headers = {"content-type": "text/event-stream; charset=utf-8", "request-id": f"req_script_{name}"}
        return httpx2.Response(200, headers=headers, content=b"".join(parts))


def _events(turn: Turn, name: str, model: str, size: int) -> Iterator[dict[str, object]]:
    usage = {"input_tokens": size // 4, "output_tokens": 1}
    usage |= {"cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    head = {"id": f"msg_{name}", "type": "message", "role": "assistant", "model": model, "content": []}
    yield {"type": "message_start", "message": head | {"stop_reason": None, "stop_sequence": None, "usage": usage}}
    for index, block in enumerate(turn):
        yield from _block(index, block, name)
    stop = "tool_use" if any(block["type"] == "tool_use" for block in turn) else "end_turn"
    written = 1 + len(json.dumps(turn)) // 4
    delta = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": delta, "usage": {"output_tokens": written}}
    yield {"type": "message_stop"}


def _block(index: int, block: Block, name: str) -> Iterator[dict[str, object]]:
    if block["type"] == "text":
        empty: dict[str, object] = {"type": "text", "text": ""}
        kind, field, content = "text_delta", "text", str(block["text"])
    else:
        empty = {"type": "tool_use", "id": f"toolu_{name}_{index + 1}", "name": block["name"], "input": {}}
        kind, field, content = "input_json_delta", "partial_json", json.dumps(block["input"])
    yield {"type": "content_block_start", "index": index, "content_block": empty}
    for start in range(0, len(content), _CHUNK):
        delta = {"type": kind, field: content[start : start + _CHUNK]}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
    yield {"type": "content_block_stop", "index": index}


def _frame(event: Mapping[str, object]) -> bytes:
    return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()
