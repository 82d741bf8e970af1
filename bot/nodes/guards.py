"""guards: is it one thing, and is it new?"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from bot.errors import SiteBroken
from bot.model import Evidence, GuardObjections, GuardsPassed, Holdings, Objection, Ready, Snapshot
from bot.ports import Reader, canonical


class Panel(Protocol):
    """The guards, with what they need to know; each yields objections."""

    def objections(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> Iterable[Objection]:
        """All guards run; all objections together."""

    def adds(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> tuple[str, ...]:
        """The ledger keys of what was added."""


class Guards:
    """Ordinary code; the site's own code runs only in the reader's sandbox. `recorded` is the verdict that this cycle
    already holds about a snapshot, if any."""

    def __init__(
        self,
        reader: Callable[[], Reader],
        panel: Callable[[], Panel],
        recorded: Callable[[Snapshot], GuardsPassed | GuardObjections | None] = lambda _: None,
    ) -> None:
        self._reader, self._panel, self._recorded = reader, panel, recorded

    def run(self, ready: Ready, snapshot: Snapshot) -> GuardsPassed | GuardObjections:
        """Every guard sees base and candidate, both read in fresh processes; what was judged stays so."""
        if (earlier := self._recorded(snapshot)) is not None:
            return earlier
        reader, panel = self._reader(), self._panel()
        _, base = reader.holdings(snapshot.base_tree)
        try:
            _, candidate = reader.holdings(snapshot.tree)
        except SiteBroken as error:
            return GuardObjections(snapshot.tree, (_unreadable(error),))
        if objections := canonical(panel.objections(ready, snapshot, base, candidate)):
            return GuardObjections(snapshot.tree, objections)
        adds = panel.adds(ready, snapshot, base, candidate)
        return GuardsPassed(snapshot.tree, adds, (_evidence(snapshot, candidate),))


def _unreadable(error: SiteBroken) -> Objection:
    return Objection(
        "site-unreadable",
        "guards",
        error.where,
        "site",
        "with this change a registry can no longer be read" if error.where else "with this change the site breaks",
        seen=str(error),
        accept="a change with which the application still imports and every registry can be read",
    )


def _evidence(snapshot: Snapshot, candidate: Holdings) -> Evidence:
    entries = sum(len(registry.entries) for registry in candidate.registries)
    return Evidence(
        "guards", {"entries": entries, "rules": len(candidate.url_map.entries), "files": len(snapshot.paths)}
    )
