"""What a scripted builder wants to add: whole files, and the claim that goes with them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Self

from bot.drill.drill import Turn, Visit
from bot.drill.moves import submit, write
from bot.frozen import frozen


@frozen
class Added:
    """`files` are the texts of changed and new files by path; the rest is the claim."""

    files: Mapping[str, str]
    kind: str
    key: str
    routes: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    summary: str = field(default="Add one thing")

    def with_file(self, path: str, text: str) -> Self:
        """The same, and one more file."""
        return replace(self, files={**self.files, path: text})

    def turns(self) -> Iterator[Turn]:
        """Write the files, without handing in."""
        for path, text in self.files.items():
            yield write(path, text)

    def hand_in(self) -> Turn:
        """The claim."""
        return submit(self.kind, self.key, self.routes, self.changes, self.summary)

    def visit(self, *more: Turn) -> Visit:
        """Write the files, do more, and hand in."""
        return [*self.turns(), *more, self.hand_in()]
