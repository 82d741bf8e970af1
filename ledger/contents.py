"""What a ledger holds, as values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from bot.frozen import frozen
from ledger.trailers import Trailers, parse

Log = Iterable[tuple[str, str, str]]


@frozen
class Added:
    """A key that the history added; the first commit counts."""

    key: str
    commit: str
    when: str
    cycle: str


@frozen
class Rejected:
    """An idea that was turned down. `fades` where nothing was said against the idea itself, as in a lost race.

    `patches` are digests of the normalised differences that were tried.
    """

    keys: tuple[str, ...]
    reason: str
    cycle: str
    when: str
    fades: bool = False
    patches: tuple[str, ...] = ()


@frozen
class Contents:
    """`tip` is the commit up to which the history was read; `added` are oldest first, `rejected` by cycle.

    `removed` are keys of `added`, sorted, that the history itself took back, and that did not come again since.
    """

    tip: str = ""
    added: tuple[Added, ...] = ()
    rejected: tuple[Rejected, ...] = ()
    removed: tuple[str, ...] = ()

    def read_to(self, tip: str, log: Log) -> Contents:
        """The same with the history read anew, oldest first as (commit, date, message)."""
        first: dict[str, Added] = {}
        removed: set[str] = set()
        for oid, when, found in _told(log):
            for key in found.adds:
                first.setdefault(key, Added(key, oid, when, found.cycle))
            removed = (removed - {*found.adds}) | (first.keys() & {*found.removes})
        return replace(self, tip=tip, added=tuple(first.values()), removed=tuple(sorted(removed)))

    def told(self, more: Iterable[Rejected]) -> Contents:
        """The same with these rejected ideas; a cycle that is told again counts once, as it was told last."""
        ideas = {one.cycle: one for one in (*self.rejected, *more)}
        return replace(self, rejected=tuple(ideas[cycle] for cycle in sorted(ideas)))


def _told(log: Log) -> Iterator[tuple[str, str, Trailers]]:
    for oid, when, message in log:
        if "Plusone-" in message:
            yield oid, when, parse(message)
