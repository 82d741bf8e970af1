"""Guards and parts of the gate that no drill isolates on the demo's site, and what shows or holds the same."""

from __future__ import annotations

COVERED: dict[str, str] = {
    "fields_once": "the demo has no registry of files; the guard's own tests, and the drill on a made-up site, show it",
}
