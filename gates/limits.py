"""Sites that count how often a visitor asks: the sweep is one visitor, and asks more than any person."""

from __future__ import annotations

from collections.abc import Iterator

from gates.finding import Finding
from gates.question import Question

ENOUGH = 429
_FOLDED = 254


def address(moved: int) -> str:
    """Where a visitor comes from who has moved so often: an address of this machine; empty for the usual one."""
    block, place = divmod(moved % (_FOLDED * _FOLDED), _FOLDED)
    return f"127.0.{block}.{place + 1}" if moved else ""


def tightened(before: int, now: int) -> Iterator[Finding]:
    """Whether visitors are turned away far sooner than at base; one more page may be one too many."""
    if now > 2 * before + 1:
        seen = f"{now} times for too many requests; before: {before} times"
        what = "the site turns visitors away sooner than before"
        yield Finding("limits-tightened", Question("GET", "/"), "", what, seen, "the limits of base", "limits")
