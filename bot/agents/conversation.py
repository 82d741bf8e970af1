"""One conversation with a model: what was said so far, and the next answer to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bot.agents.answer import Answer, Block
from bot.agents.calls import Caller

_MAX_TOKENS = 16_000
_CACHED = {"cache_control": {"type": "ephemeral"}}
_CLEARED = {
    "edits": [
        {
            "type": "clear_tool_uses_20250919",
            "trigger": {"type": "input_tokens", "value": 60_000},
            "keep": {"type": "tool_uses", "value": 8},
            "clear_at_least": {"type": "input_tokens", "value": 15_000},
        }
    ]
}
_NOTHING = "(no answer)"


class Conversation:
    """Holds the whole conversation here, none of it on the server, so that each request stands for itself."""

    def __init__(self, caller: Caller, model: str, system: str, tools: Sequence[Mapping[str, object]] = ()) -> None:
        self._caller, self._model, self._system, self._tools = caller, model, system, tools
        self._messages: list[dict[str, object]] = []

    def say(self, text: str) -> None:
        """The next thing that the user says."""
        self.hand([{"type": "text", "text": text}])

    def hand(self, blocks: Sequence[Block]) -> None:
        """The next blocks of the user's side; tool results come this way."""
        self._messages.append({"role": "user", "content": list(blocks)})

    def answer(self, form: Mapping[str, object] | None = None) -> Answer:
        """The model's next turn. `form` is a JSON schema that its text has to keep. Raises as `Caller.ask`."""
        answer = self._caller.ask(self._request(form))
        self._messages.append({"role": "assistant", "content": _kept(answer)})
        return answer

    def _request(self, form: Mapping[str, object] | None) -> dict[str, object]:
        request: dict[str, object] = {
            "model": self._model,
            "max_tokens": _MAX_TOKENS,
            "system": [{"type": "text", "text": self._system, **_CACHED}],
            "messages": _marked(self._messages),
        }
        if self._tools:
            request |= {"tools": self._tools, "context_management": _CLEARED}
            request |= {"betas": ["context-management-2025-06-27"]}
        if form:
            request |= {"output_config": {"format": {"type": "json_schema", "schema": form}}}
        return request


def _kept(answer: Answer) -> list[Block]:
    """What goes back with the next request; a turn that was cut or refused keeps its words, and none of its calls."""
    blocks = answer.blocks
    if answer.stop in ("max_tokens", "refusal", "model_context_window_exceeded"):
        blocks = tuple({"type": "text", "text": block["text"]} for block in blocks if block.get("type") == "text")
    kept = [block for block in blocks if block.get("type") != "text" or str(block.get("text", "")).strip()]
    return kept or [{"type": "text", "text": _NOTHING}]


def _marked(messages: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """The messages with the cache's mark on the last block that the user gave."""
    marked = list(messages)
    for index in range(len(marked) - 1, -1, -1):
        content = marked[index]["content"]
        if marked[index]["role"] == "user" and isinstance(content, list):
            marked[index] = {"role": "user", "content": [*content[:-1], {**content[-1], **_CACHED}]}
            break
    return marked
