"""What a drilled cycle left: its report, what its commands printed, its remote and its folders."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from bot.telling.report import Report


@dataclass
class Trace:
    """`folder` holds all that the cycle had: `remote.git`, `store.git`, its state."""

    report: Report
    folder: Path
    recording: Path

    @cached_property
    def printed(self) -> str:
        """All that the tools answered to the model, in order."""
        if not self.recording.exists():
            return ""
        with self.recording.open(encoding="ascii") as lines:
            return "\n".join(text for line in lines for text in _answers(json.loads(line)))


def _answers(line: dict[str, object]) -> Iterator[str]:
    """The tool results in the newest message of one recorded request."""
    request = line.get("request")
    messages = request.get("messages") if isinstance(request, dict) else None
    if not isinstance(messages, list) or not messages:
        return
    content = messages[-1].get("content")
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == "tool_result":
            yield json.dumps(block.get("content"), ensure_ascii=False)
