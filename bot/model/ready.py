"""The trigger, and what precheck hands to all later nodes: ids, cache keys and numbers, never bulk or secrets."""

from __future__ import annotations

from typing import Literal

from bot.frozen import frozen


@frozen
class Trigger:
    """What set the cycle off. `started` is UTC, ISO 8601, whole seconds."""

    cycle: str
    started: str
    dry_run: bool = False
    model: str = "anthropic"


@frozen
class Allowance:
    """What one cycle may spend; None means no cap. `seconds` is wall clock from the start."""

    model_calls: int
    tokens: int
    usd: float | None
    seconds: float


@frozen
class Baseline:
    """What a gate part measured at base: the cache key under which it lies, and the counts that tell its coverage."""

    part: str
    key: str
    tool: str
    counts: dict[str, int]


@frozen
class Ready:
    """Everything that later nodes need. It is a journal row and the first line of a recording.

    `holdings` and `known` are cache keys: what base holds, and every key that the ledger knows.
    """

    cycle: str
    started: str
    dry_run: bool
    branch: str
    base: str
    base_tree: str
    config: str
    prompts: dict[str, str]
    holdings: str
    known: str
    baselines: tuple[Baseline, ...]
    allowance: Allowance
    sandbox: str


@frozen
class Refused:
    """Not now (`wait`) or not until a person has acted (`setup`)."""

    kind: Literal["wait", "setup"]
    code: str
    reason: str
