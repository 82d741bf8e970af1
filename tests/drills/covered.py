"""Checks that no drill can isolate on the demo site: whatever they object to, another check objects to as well."""

from __future__ import annotations

COVERED: dict[str, str] = {}
