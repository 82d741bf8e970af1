"""What one exchange costs in tokens: the worst before it is sent, the truth from its stream."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from bot.model import Tokens

_BYTES_PER_TOKEN = 3
_FIELDS = {
    "input_tokens": "input",
    "output_tokens": "output",
    "cache_read_input_tokens": "cache_read",
    "cache_creation_input_tokens": "cache_write",
}


class Meter(Protocol):
    """Who counts calls, tokens and money."""

    def reserve(self, node: str, visit: int, model: str, worst: Tokens) -> int:
        """Set the worst aside before a request is sent, and name the call. Raises BudgetSpent."""

    def settle(self, call: int, used: Tokens | None, status: str) -> None:
        """Replace the reserve by what was used; None keeps the reserve. `status` is `done` or `failed`."""


def worst(body: bytes, request: Mapping[str, Any]) -> Tokens:
    """The most that a request can use, estimated from its size and its bound on the answer."""
    limit = request.get("max_tokens")
    return Tokens(input=len(body) // _BYTES_PER_TOKEN + 1, output=limit if isinstance(limit, int) else 0)


def used(body: str) -> Tokens | None:
    """What a stream says it used, or None where it was cut before it told."""
    found: dict[str, int] = {}
    told = False
    for event in events(body):
        usage = event.get("usage") if event.get("type") == "message_delta" else None
        told = told or isinstance(usage, dict)
        if event.get("type") == "message_start":
            usage = event.get("message", {}).get("usage")
        for name, field in _FIELDS.items():
            if isinstance(usage, dict) and isinstance(usage.get(name), int):
                found[field] = usage[name]
    return Tokens(**found) if told else None


def events(body: str) -> Iterator[dict[str, Any]]:
    """The JSON objects of a server-sent stream; lines that are none are passed over."""
    for line in body.splitlines():
        if line.startswith("data:"):
            try:
                event = json.loads(line[5:])
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event
