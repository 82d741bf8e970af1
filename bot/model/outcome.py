"""The five ways in which a cycle ends."""

from __future__ import annotations

from typing import Literal

from bot.frozen import frozen
from bot.model.change import Claim
from bot.model.objection import Objection


@frozen
class Committed:
    """The judged tree is on the branch. `checkout` says what became of the live checkout, if one is configured."""

    commit: str
    tree: str
    reason: str
    adds: tuple[str, ...] = ()
    checkout: str = ""


@frozen
class Waiting:
    """The judged commit is kept under a ref until a person approves."""

    commit: str
    tree: str
    reason: str


@frozen
class Reverted:
    """Nothing was pushed, and why."""

    stage: str
    reason: str
    objections: tuple[Objection, ...] = ()
    tree: str | None = None
    claim: Claim | None = None


@frozen
class Skipped:
    """The cycle did not start: not now, or not until a person has acted."""

    kind: Literal["wait", "setup"]
    code: str
    reason: str
    stage: str = "precheck"


@frozen
class Failed:
    """The cycle was stopped or broke; `exit_code` is what the timer sees."""

    stage: str
    reason: str
    stopped_by: str = ""
    objections: tuple[Objection, ...] = ()
    tree: str | None = None
    exit_code: int = 1


Outcome = Committed | Waiting | Reverted | Skipped | Failed
