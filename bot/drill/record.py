"""Owns what is kept of the last whole drill, and whether that is enough to let cycles start by themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from bot import __version__
from bot.drill.result import Result
from bot.errors import ConfigError
from bot.frozen import frozen
from bot.lines import one_line
from bot.program import program
from bot.settings import Settings, digest

FILE = "drill.json"


@frozen
class Record:
    """When it was, of which program and configuration, on which commit, and which bad builders were not stopped."""

    when: str
    program: str
    config: str
    base: str
    survivors: tuple[str, ...]


def keep(root: Path, settings: Settings, when: str, base: str, results: Iterable[Result]) -> Path:
    """Write the record into the site's state folder `root`, whole or not at all, and say where."""
    results = tuple(results)
    told = {
        "schema_version": 1,
        "when": when,
        "version": __version__,
        "program": program(),
        "config": digest(settings),
        "base": base,
        "survivors": survivors(results),
        "results": [dict(one.row()) for one in results],
    }
    path, draft = root / FILE, root / f".{FILE}.new"
    draft.write_text(json.dumps(told, indent=1), encoding="utf-8")
    draft.replace(path)
    return path


def survivors(results: Iterable[Result]) -> list[str]:
    """The bad ones that were not shown to be stopped."""
    return [one.name for one in results if not one.good and one.fails]


def last(root: Path) -> Record | None:
    """The last record; None where there is none. Raises ConfigError for one that cannot be read."""
    path = root / FILE
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        when, made, config, base = (str(found[name]) for name in ("when", "program", "config", "base"))
        return Record(when, made, config, base, tuple(str(one) for one in found["survivors"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path} cannot be read ({one_line(str(error))}); run `plusone drill` again") from error


def require(root: Path, settings: Settings, accepted: Sequence[str] = ()) -> None:
    """Raises ConfigError unless the last drill was of this program and configuration, and nothing survived in it.

    `accepted` are survivors that the owner takes upon himself; a name that did not survive is refused, too.
    """
    found = last(root)
    if found is None:
        raise ConfigError(f"no drill of {settings.site.name} is on record in {root}: run `plusone drill` first")
    what = "program" if found.program != program() else "configuration" if found.config != digest(settings) else ""
    if what:
        raise ConfigError(f"the last drill ({found.when[:16]} UTC) was of another {what}: run `plusone drill` again")
    if unknown := [name for name in accepted if name not in found.survivors]:
        raise ConfigError(f"--i-accept-the-survivors {one_line(unknown[0])}: it did not survive the last drill")
    if left := [name for name in found.survivors if name not in accepted]:
        names = " ".join(f"--i-accept-the-survivors {name}" for name in left)
        raise ConfigError(
            f"in the last drill {len(left)} bad builder(s) were not stopped ({', '.join(left)}): see `plusone drill`; "
            f"to go on in spite of it: {names}"
        )
