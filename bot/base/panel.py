"""The guards at the table: the facts that they judge by, from the store, the ledger and the two readings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field, replace

from bot.base.known import Known
from bot.base.restless import restless
from bot.frozen import frozen
from bot.model import Addition, FieldRule, Holdings, Limits, Objection, Ready, Snapshot
from bot.store.repository import Store
from guards import GUARDS
from guards.facts import Facts, adds
from guards.patch import added_lines


@frozen
class Declared:
    """What the owner says: what is one thing, how large it may be, and about fields of registries."""

    additions: tuple[Addition, ...]
    limits: Limits
    fields: Mapping[str, Mapping[str, FieldRule]] = field(default_factory=dict)


class GuardPanel:
    """Implements what the node `guards` asks.

    `known` reads the ledger's keys of the cycle, `afresh` a tree once more, whatever is remembered of it.
    """

    def __init__(
        self,
        store: Store,
        declared: Declared,
        known: Callable[[Ready], Known],
        secrets: tuple[str, ...] = (),
        afresh: Callable[[str], Holdings] | None = None,
    ) -> None:
        self._store, self._declared, self._afresh = store, declared, afresh
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
        texts = self._texts(snapshot)
        varying: frozenset[str] = frozenset()
        if self._afresh is not None:
            base, varying = restless(self._afresh, snapshot, base, candidate)
        return replace(
            self._observed(ready, snapshot, base, candidate),
            restless=varying,
            added=added_lines(self._store.patch(snapshot.base_tree, snapshot.tree)),
            binaries=tuple(path for path, (_, new) in texts.items() if new is None),
            secrets=self._secrets,
            files={path: (old, new) for path, (old, new) in texts.items() if new is not None},
            rules=self._declared.fields,
            today=ready.started[:10],
        )

    def _observed(self, ready: Ready, snapshot: Snapshot, base: Holdings, candidate: Holdings) -> Facts:
        """The part that needs no look into the store."""
        said, known = self._declared, self._known(ready)
        return Facts(snapshot, base, candidate, said.additions, known.keys, said.limits, attempts=known.patches)

    def _texts(self, snapshot: Snapshot) -> dict[str, tuple[str | None, str | None]]:
        """The agent's files before and after; None where there is none or it is no text."""
        before, after = self._store.entries(snapshot.base_tree), self._store.entries(snapshot.tree)
        paths = [one.path for one in snapshot.changes if one.by == "agent" and one.status != "deleted"]
        pairs = {path: (before.get(path), after[path]) for path in paths}
        wanted = [one.oid for pair in pairs.values() for one in pair if one and one.size is not None]
        contents = self._store.blobs(wanted)
        return {
            path: (_text(contents.get(old.oid) if old else None), _text(contents[new.oid]))
            for path, (old, new) in pairs.items()
        }


def _text(content: bytes | None) -> str | None:
    """UTF-8 without NUL, or None."""
    try:
        text = None if content is None else content.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return None if text is None or "\0" in text else text
