"""The last examination by `plusone doctor`, kept so that the page can show it without examining anything."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

Table = Mapping[str, object]


def keep(path: Path, table: Table, when: str) -> None:
    """Keep the table as `doctor --json` prints it, with its time; swapped in whole. Raises OSError."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".doctor-")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        json.dump({**table, "when": when}, file)
    Path(draft).replace(path)


def kept(path: Path) -> dict[str, object] | None:
    """What was kept, None where nothing was or where it cannot be read."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and isinstance(found.get("checks"), list) else None
