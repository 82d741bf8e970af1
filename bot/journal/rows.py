"""The journal's rows as values."""

from __future__ import annotations

from bot.frozen import frozen
from bot.model import Tokens


@frozen
class Opening:
    """What is known of a run before its first node; `graph` and `config` are hashes, `given` is what it starts from."""

    cycle: str
    graph: str
    given: object
    program: str = ""
    config: str = ""
    model: str = ""
    sandbox: str = ""
    dry_run: bool = False


@frozen
class Run:
    """A run row. Times are UTC, ISO 8601; `ended`, `outcome` and `exit_code` are None while it is open.

    `outcome` is one of the five words; `path` is the nodes in the order they started. `given` and `result` (the whole
    outcome) are text still, to be read with `Journal.value`, so that the rows of another version can be listed.
    """

    cycle: str
    fence: int
    graph: str
    program: str
    config: str
    given_type: str
    given: str
    model: str
    sandbox: str
    dry_run: bool
    started: str
    ended: str | None
    outcome: str | None
    stage: str
    reason: str
    stopped_by: str
    exit_code: int | None
    base: str | None
    tree: str | None
    commit: str | None
    result_type: str | None
    result: str | None
    path: tuple[str, ...]


@frozen
class Step:
    """A step row. `ended`, `type` and `value` (text still) are None while it is in flight; `usd` None if not known."""

    seq: int
    node: str
    visit: int
    started: str
    ended: str | None
    type: str | None
    value: str | None
    tree: str | None
    tokens: int
    usd: float | None


@frozen
class Reserve:
    """A model call that is about to be made, at its worst cost; `usd` is None where no price is known."""

    cycle: str
    node: str
    visit: int
    model: str
    worst: Tokens
    usd: float | None


@frozen
class Call:
    """A call row: `tokens` and `usd` are the reserve until the usage is known."""

    id: int
    node: str
    visit: int
    seq: int
    at: str
    model: str
    state: str
    reserved_tokens: int
    reserved_usd: float | None
    tokens: Tokens
    usd: float | None
