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


def tightened(before: int, asked: int, now: int, patient: int) -> Iterator[Finding]:
    """Whether visitors are turned away sooner than at base: a request more may be one too many, one fewer may not.

    `before` and `now` count how often; where base never had enough of its `asked` requests, the change must have been
    `patient` for as many before it had.
    """
    if now > 2 * before + 1 or (now and not before and patient < asked):
        seen = f"{now} times for too many requests, first after {patient}; before: {before} times, of {asked}"
        what = "the site turns visitors away sooner than before"
        yield Finding("limits-tightened", Question("GET", "/"), "", what, seen, "the limits of base", "limits")
