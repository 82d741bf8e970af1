"""One countable item of a page, and the list entry that it belongs to."""

from __future__ import annotations

from typing import NamedTuple


class Part(NamedTuple):
    """`entry` is the target of the list entry that the part stands in, empty elsewhere; it is no part of what it is."""

    kind: str
    value: str
    entry: str = ""

    @property
    def identity(self) -> tuple[str, str]:
        """What makes it the same part on another day."""
        return (self.kind, self.value)
