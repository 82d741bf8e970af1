"""One finding, and a row of looks that depend on each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import Literal

from bot.errors import PlusoneError
from bot.frozen import frozen
from bot.lines import one_line

Level = Literal["ok", "warning", "failure"]


@frozen
class Check:
    """What was looked at, how it is, what was seen, and the command (or the line to write) that mends it."""

    name: str
    level: Level
    seen: str
    mend: str = ""


@frozen
class Look:
    """One thing to look at. `needs` names those that must not have failed; `mend` is for a look that raises."""

    name: str
    take: Callable[[], Check]
    mend: str = ""
    needs: tuple[str, ...] = ()


def taken(looks: Iterable[Look]) -> Iterator[Check]:
    """Each look in turn; what it raises of ours is a failure, and what needs a failed one is not taken."""
    failed: set[str] = set()
    for look in looks:
        missing = [name for name in look.needs if name in failed]
        found = _unseen(look, missing[0]) if missing else _taken(look)
        if missing or found.level == "failure":
            failed.add(look.name)
        yield found


def _unseen(look: Look, missing: str) -> Check:
    return Check(look.name, "warning", f"not looked at: mend {missing} first")


def _taken(look: Look) -> Check:
    try:
        return look.take()
    except PlusoneError as error:
        return Check(look.name, "failure", one_line(str(error)), look.mend)


def as_table(checks: Iterable[Check], site: str) -> dict[str, object]:
    """The whole as `doctor --json` prints it."""
    found = list(checks)
    levels: dict[str, object] = {
        level: sum(one.level == level for one in found) for level in ("ok", "warning", "failure")
    }
    return {"schema_version": 1, "site": site, **levels, "checks": [asdict(one) for one in found]}
