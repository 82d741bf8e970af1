"""Owns what is installed in a site's environment, told from the names that installers leave: nothing is run."""

from __future__ import annotations

import re
from pathlib import Path

_FOLDERS = ("lib*/python3*/site-packages", "lib*/python3*/dist-packages", "lib*/python3/dist-packages")
_RECORD = re.compile(r"(?P<name>[A-Za-z0-9._]+?)-(?P<version>[^-]+?)(-py[\d.]+)?\.(dist|egg)-info")


def packages(python: str) -> tuple[tuple[str, str], ...]:
    """Name and version of everything in the environment of that interpreter, in order; names as indexes spell them."""
    home = Path(python).parent.parent
    records = (record.name for folder in _FOLDERS for place in home.glob(folder) for record in place.glob("*-info"))
    found = (match for record in records if (match := _RECORD.fullmatch(record)))
    return tuple(sorted({(re.sub(r"[._]+", "-", one["name"]).lower(), one["version"]) for one in found}))


def version_of(python: str, name: str) -> str:
    """The version of one package, empty where it is not installed there."""
    return dict(packages(python)).get(name, "")
