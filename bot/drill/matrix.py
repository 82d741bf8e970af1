"""The matrix of a drill as text: what went wrong first, then what was stopped by what, then what does not apply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.drill.record import survivors
from bot.drill.result import Result
from bot.lines import one_line

ORDER = ("survived", "broken", "wrongly stopped", "stopped", "passed", "not here")
WIDTH = 80


def matrix(results: Iterable[Result]) -> Iterator[str]:
    """A line each, and the sum; what failed is told in full."""
    found = sorted(results, key=lambda one: ORDER.index(one.verdict))
    wide = max((len(one.name) for one in found), default=0)
    for one in found:
        yield row(one, wide)
        if one.fails:
            yield f"    {one_line(one.story)}: {one_line(one.why)}"
    yield ""
    yield total(found)


def row(one: Result, wide: int) -> str:
    """One line of at most 80 characters, unless the name itself is longer."""
    seconds = "" if one.verdict == "not here" else f"{one.seconds:.1f} s"
    mark = one.verdict.upper() if one.fails else one.verdict
    by = one_line(one.why if one.verdict == "not here" else one.by)
    line = f"{one.name:<{wide}}  {mark:<8}  {seconds:>6}  "
    room = max(12, WIDTH - len(line))
    return line + (by if len(by) <= room else by[: room - 1] + "…")


def total(results: Iterable[Result]) -> str:
    """How many of each."""
    found = tuple(results)
    counts = {verdict: sum(one.verdict == verdict for one in found) for verdict in ORDER}
    bad, good = counts["stopped"] + len(survivors(found)), counts["passed"] + counts["wrongly stopped"]
    return (
        f"bad builders: {counts['stopped']} of {bad} stopped; good ones: {counts['passed']} of {good} passed; "
        f"{counts['not here']} do not apply here"
    )


def table(site: str, base: str, results: Iterable[Result]) -> dict[str, object]:
    """What `drill --json` prints."""
    found = sorted(results, key=lambda one: ORDER.index(one.verdict))
    counts = {verdict.replace(" ", "_"): sum(one.verdict == verdict for one in found) for verdict in ORDER}
    return {
        "schema_version": 1,
        "site": site,
        "base": base,
        **counts,
        "survivors": survivors(found),
        "drills": [dict(one.row()) for one in found],
    }
