"""Tells whether a replayed request is still the one that was recorded, and what differs."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping

from bot.agents.visits import Visit
from bot.frozen import frozen

_LONGEST = 24
_VOLATILE = (
    (re.compile(r"(?<!\d)\d++(\.\d++)? ?(ms|s|sec|seconds)\b"), "N s"),
    (re.compile(r"\b0x[0-9a-f]{6,}\b"), "0xN"),
    (re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?"), "TIME"),
    (re.compile(r"\b[0-9a-f]{16}\b"), "SEAL"),  # a prompt's seal follows from every other word of it
    (re.compile(r"/tmp/[\w./-]+"), "/tmp/N"),  # noqa: S108 - a pattern of names, no file
)


@frozen
class Drift:
    """One request that is not as recorded, with a short unified difference."""

    visit: Visit
    seq: int
    difference: str


def drift(visit: Visit, seq: int, recorded: Mapping[str, object], now: Mapping[str, object]) -> Drift | None:
    """What differs, marks, durations, times, addresses, seals and scratch folders aside; None when nothing does."""
    before, after = _lines(recorded), _lines(now)
    if before == after:
        return None
    lines = list(difflib.unified_diff(before, after, "recorded", "now", n=1, lineterm=""))
    cut = [f"[... {len(lines) - _LONGEST} lines more]"] if len(lines) > _LONGEST else []
    return Drift(visit, seq, "\n".join([*lines[:_LONGEST], *cut]))


def _lines(request: object) -> list[str]:
    text = json.dumps(_bare(request), indent=1, sort_keys=True, ensure_ascii=False)
    for pattern, instead in _VOLATILE:
        text = pattern.sub(instead, text)
    return [piece for line in text.split("\n") for piece in line.split("\\n")]


def _bare(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _bare(one) for key, one in value.items() if key not in ("cache_control", "metadata")}
    return [_bare(one) for one in value] if isinstance(value, list) else value
