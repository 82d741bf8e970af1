"""The prompts: texts with named blanks, filled once, with nothing left open."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from importlib import resources
from typing import NamedTuple

from bot.errors import ConfigError

MARK = "\n<!-- task -->\n"
SEAL = "seal"

_BLANK = re.compile(r"\{\{([a-z_]+)\}\}")


class Prompt(NamedTuple):
    """The two parts of a prompt: what stays the same from cycle to cycle, and the task."""

    system: str
    task: str


def fill(name: str, blanks: Mapping[str, str]) -> Prompt:
    """The prompt `name` with every `{{blank}}` filled; what is filled in is data and is not looked through again.

    The blank `seal` fills itself: it is a digest of all values, so no value can hold it and close its own marks.
    Raises ConfigError for a blank without a value and for a value without a blank.
    """
    text = _text(name)
    wanted = set(_BLANK.findall(text))
    values = {**blanks, SEAL: _seal(blanks)} if SEAL in wanted else dict(blanks)
    if missing := sorted(wanted - values.keys()):
        raise ConfigError(f"prompts/{name}.md: the blank {missing[0]!r} has no value")
    if unknown := sorted(values.keys() - wanted):
        raise ConfigError(f"prompts/{name}.md: there is no blank {unknown[0]!r}")
    parts = text.split(MARK)
    if len(parts) != 2:
        raise ConfigError(f"prompts/{name}.md: the line {MARK.strip()!r} must stand exactly once")
    system, task = (_BLANK.sub(lambda found: values[found[1]], part).strip() for part in parts)
    return Prompt(system, task)


def blanks(name: str) -> frozenset[str]:
    """The blanks that `fill` needs values for."""
    return frozenset(_BLANK.findall(_text(name))) - {SEAL}


def digest(name: str) -> str:
    """A fingerprint of the prompt's text, for the record."""
    return hashlib.sha256(_text(name).encode()).hexdigest()


def _text(name: str) -> str:
    try:
        return resources.files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")
    except (OSError, ModuleNotFoundError) as error:
        raise ConfigError(f"prompts/{name}.md cannot be read: {error}; install Plusone again") from error


def _seal(values: Mapping[str, str]) -> str:
    joined = "\0".join(f"{name}\0{values[name]}" for name in sorted(values))
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()[:16]
