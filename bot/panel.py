"""The guards at the table: the facts that they judge by, from the store, the ledger and the two readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from bot.model import Addition, Holdings, Limits, Objection, Ready, Snapshot
from bot.store import Store
from bot.survey import Known
from guards import GUARDS
from guards.facts import Facts, adds
from guards.patch import added_lines


class GuardPanel:
    """Implements what the node `guards` asks. `known` reads the ledger's keys of the cycle."""

    def __init__(
        self,
        store: Store,
        additions: tuple[Addition, ...],
        limits: Limits,
        known: Callable[[Ready], Known],
        secrets: tuple[str, ...] = (),
    ) -> None:
        self._store, self._additions, self._limits = store, additions, limits
        self._known, self._secrets = known, secrets

    def objections(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> Iterator[Objection]:
        """All guards run, and all their objections are reported together."""
        facts = self._facts(ready, snapshot, base, candidate)
        for guard in GUARDS:
            yield from guard(facts)

    def adds(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> tuple[str, ...]:
        """The ledger keys of what was added."""
        return adds(self._observed(ready, snapshot, base, candidate))

    def _facts(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> Facts:
        return replace(
            self._observed(ready, snapshot, base, candidate),
            added=added_lines(self._store.patch(snapshot.base_tree, snapshot.tree)),
            binaries=self._binaries(snapshot),
            secrets=self._secrets,
        )

    def _observed(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> Facts:
        """The part that needs no look into the store."""
        return Facts(snapshot, base, candidate, self._additions, self._known(ready).keys, self._limits)

    def _binaries(self, snapshot: Snapshot) -> tuple[str, ...]:
        entries = self._store.entries(snapshot.tree)
        paths = [one.path for one in snapshot.changes if one.by == "agent" and one.status != "deleted"]
        contents = self._store.blobs(entries[path].oid for path in paths)
        return tuple(path for path in paths if not _is_text(contents[entries[path].oid]))


def _is_text(content: bytes) -> bool:
    try:
        return "\0" not in content.decode("utf-8")
    except UnicodeDecodeError:
        return False
