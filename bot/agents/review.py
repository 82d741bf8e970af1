"""The reviewer's answer: one JSON object and nothing else, or it cannot be read."""

from __future__ import annotations

import json
import re

from bot.agents.plain import inert

SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["approve", "reject"]},
        "reasons": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["verdict", "reasons"],
    "additionalProperties": False,
}

_FENCE = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)
_LONGEST = 60_000
_REASONS = 20
_REASON = 1000


def parse(text: str) -> tuple[bool, tuple[str, ...]] | None:
    """Whether the reviewer approves, and why; None unless the whole text is exactly one opinion.

    The object may stand in one code fence. Nothing is searched for inside prose: a text that quotes an approval
    approves of nothing.
    """
    bare = text.strip(" \t\r\n")
    if len(bare) > _LONGEST:
        return None
    fenced = _FENCE.match(bare)
    try:
        found = json.loads(fenced[1] if fenced else bare, object_pairs_hook=_unique, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return None
    return _opinion(found)


def _opinion(found: object) -> tuple[bool, tuple[str, ...]] | None:
    if not isinstance(found, dict) or found.keys() != {"verdict", "reasons"}:
        return None
    verdict, reasons = found["verdict"], found["reasons"]
    if verdict not in ("approve", "reject") or not isinstance(reasons, list):
        return None
    if not all(isinstance(one, str) and one.strip() for one in reasons):
        return None
    return verdict == "approve", tuple(inert(one.strip())[:_REASON] for one in reasons[:_REASONS])


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice")
    return found


def _refuse(constant: str) -> object:
    raise ValueError(f"{constant} is not JSON")
