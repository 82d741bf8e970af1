"""Compares a ledger with the history and the journal that it was read from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.contents import Added, Log, Rejected
from ledger.store import LedgerStore

History = Callable[[str], Log]


def differences(ledger: LedgerStore, tip: str, history: History, ideas: Iterable[Rejected] = ()) -> Iterator[str]:
    """One line for each key and cycle on which they part. `history` reads a commit's whole log, oldest first.

    `ideas` are what the journal says was rejected. What came after the last reading is no difference: the next cycle
    reads it.
    """
    read = ledger.tip()
    if read and all(oid != read for oid, _, _ in history(tip)):
        yield f"the history no longer holds {read[:12]}, up to which the ledger was read"
        return
    with TemporaryDirectory(prefix=".ledger-", dir=ledger.folder) as folder:
        again = LedgerStore(Path(folder, "ledger.db"))
        again.renew(history(read) if read else (), read, ideas)
        parted = [*_keys(ledger, again), *_removed(ledger, again), *_cycles(ledger, again)]
        if not parted and ledger.exists and not ledger.same_bytes(again):
            parted = ["the file holds more than the ledger's rows, or holds them otherwise: rebuild it"]
    yield from parted


def _keys(ledger: LedgerStore, again: LedgerStore) -> Iterator[str]:
    said, true = ({one.key: one for one in each.list()} for each in (ledger, again))
    for key in _differing(said, true):
        yield f"{key}: the ledger says {_added(said.get(key))}, the history {_added(true.get(key))}"


def _removed(ledger: LedgerStore, again: LedgerStore) -> Iterator[str]:
    said, true = ({*each.contents().removed} for each in (ledger, again))
    for key in sorted(said ^ true):
        words = ("is removed", "is not") if key in said else ("is not removed", "is")
        yield f"{key}: the ledger says that it {words[0]}, the history that it {words[1]}"


def _cycles(ledger: LedgerStore, again: LedgerStore) -> Iterator[str]:
    said, true = ({one.cycle: one for one in each.contents().rejected} for each in (ledger, again))
    for cycle in _differing(said, true):
        yield f"cycle {cycle}: the ledger says {_rejected(said.get(cycle))}, the journal {_rejected(true.get(cycle))}"


def _differing(said: Mapping[str, object], true: Mapping[str, object]) -> list[str]:
    return [name for name in sorted(said.keys() | true.keys()) if said.get(name) != true.get(name)]


def _added(one: Added | None) -> str:
    return f"{one.commit[:12]} of {one.when}, cycle {one.cycle or 'unknown'}" if one else "nothing"


def _rejected(one: Rejected | None) -> str:
    if one is None:
        return "nothing"
    fades = ", for a while" if one.fades else ""
    return f"rejected {', '.join(one.keys)}{fades}: {one.reason} ({len(one.patches)} tried)"
