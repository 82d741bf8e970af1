"""Reading a unit of systemd with its drop-ins, and what is wrong with one that starts cycles."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from bot.frozen import frozen

_SPAN = re.compile(r"([0-9.]+)\s*([a-zMµμ]*)")
_SECONDS = {
    **dict.fromkeys(("", "s", "sec", "second", "seconds"), 1.0),
    **dict.fromkeys(("m", "min", "minute", "minutes"), 60.0),
    **dict.fromkeys(("h", "hr", "hour", "hours"), 3600.0),
    **dict.fromkeys(("d", "day", "days"), 86_400.0),
    **dict.fromkeys(("w", "week", "weeks"), 604_800.0),
    **dict.fromkeys(("M", "month", "months"), 2_629_800.0),
    **dict.fromkeys(("y", "year", "years"), 31_557_600.0),
    **dict.fromkeys(("ms", "msec"), 0.001),
    **dict.fromkeys(("us", "usec", "µs", "μs"), 0.000_001),
}
_YES = frozenset(("1", "yes", "y", "true", "t", "on"))
_NO = frozenset(("0", "no", "n", "false", "f", "off"))


@frozen
class Unit:
    """One unit file. `settings` are its assignments in order, as (section, key, value)."""

    path: Path
    settings: tuple[tuple[str, str, str], ...]

    @property
    def name(self) -> str:
        """As systemd calls it."""
        return self.path.name

    def last(self, section: str, key: str) -> str | None:
        """The value that counts, or None where it is not set."""
        found = [value for where, name, value in self.settings if (where, name) == (section, key)]
        return found[-1] if found else None

    def all(self, section: str, key: str) -> tuple[str, ...]:
        """The values of what may be set several times; an empty assignment takes away what stood before it."""
        found: list[str] = []
        for where, name, value in self.settings:
            if (where, name) == (section, key):
                found = [*found, value] if value else []
        return tuple(found)

    @property
    def commands(self) -> tuple[tuple[str, ...], ...]:
        """What it starts, as words."""
        return tuple(words(line.lstrip("-@:+!")) for line in self.all("Service", "ExecStart"))


def read_unit(path: Path, folders: Sequence[Path] = ()) -> Unit:
    """The unit with its drop-ins: those beside it, or those of all `folders`, of which the first counts most.

    Raises OSError where it cannot be read.
    """
    places = [folder / f"{name}.d" for name in _dropped(path.name) for folder in reversed(folders or (path.parent,))]
    drops = {drop.name: drop for place in places for drop in place.glob("*.conf")}
    files = (path, *(drops[name] for name in sorted(drops)))
    return Unit(path, tuple(entry for file in files for entry in _entries(file)))


def _dropped(name: str) -> list[str]:
    """The names whose drop-ins count for the unit, its own last: `service`, `a-.service`, `a-b.service`."""
    stem, _, kind = name.rpartition(".")
    parts = stem.split("-")
    above = ["-".join(parts[:count]) + f"-.{kind}" for count in range(1, len(parts))]
    return [kind, *above, name]


def _entries(path: Path) -> Iterator[tuple[str, str, str]]:
    text = path.read_text("utf-8", "replace").replace("\\\n", " ")
    section = ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
        elif "=" in line and not line.startswith(("#", ";")):
            key, _, value = line.partition("=")
            yield section, key.strip(), value.strip()


def words(line: str) -> tuple[str, ...]:
    """A command line of a unit or of cron as words; one that cannot be parsed is cut at blanks."""
    with suppress(ValueError):
        return tuple(word.replace("%%", "%").replace("$$", "$") for word in shlex.split(line))
    return tuple(line.split())


def span(text: str) -> float | None:
    """A time span of systemd in seconds; None for none at all (`infinity`, 0) and for what is no span."""
    parts = _SPAN.findall(text.strip())
    if not parts or "".join(text.split()) != "".join(number + unit for number, unit in parts):
        return None
    with suppress(ValueError, KeyError):
        return sum(float(number) * _SECONDS[unit] for number, unit in parts) or None
    return None


def flaws(unit: Unit, own: int = 0) -> Iterator[str]:
    """Why a service that starts cycles may hang, end them early or start but once; `own` is a cycle's own deadline in
    seconds.
    """
    if unit.last("Service", "Type") != "oneshot":
        yield "is not Type=oneshot, so the timer may start a cycle while one runs"
        return
    set_to = _start_timeout(unit)
    limit = span(set_to) if set_to else None
    if limit is None:
        useless = ", and RuntimeMaxSec= has no effect on a oneshot" if unit.last("Service", "RuntimeMaxSec") else ""
        yield f"has no start timeout (TimeoutStartSec=): a cycle that hangs blocks all later ones{useless}"
    elif limit <= own:
        yield f"is ended after {limit:.0f} s, before a cycle's own deadline of {own} s"
    if (unit.last("Service", "RemainAfterExit") or "").lower() in _YES:
        yield "has RemainAfterExit=, so that it stays active after the first cycle and the timer starts no other"
    kill = unit.last("Service", "KillMode") or "control-group"
    if kill not in ("control-group", "mixed"):
        yield f"has KillMode={kill}, so that what a cycle started goes on after it was ended"
    if (unit.last("Service", "SendSIGKILL") or "").lower() in _NO:
        yield "has SendSIGKILL=no, so that a cycle that does not end when it is told to blocks all later ones"


def _start_timeout(unit: Unit) -> str | None:
    """`TimeoutSec=` sets it too; whichever stands last counts."""
    found = [
        value for where, key, value in unit.settings if where == "Service" and key in ("TimeoutStartSec", "TimeoutSec")
    ]
    return found[-1] if found else None
