"""Compares a ledger with the history that it was read from."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from ledger.store import Added, LedgerStore

History = Callable[[str], Iterable[tuple[str, str, str]]]


def differences(ledger: LedgerStore, tip: str, history: History) -> Iterator[str]:
    """One line for each key on which they part. `history` reads a commit's whole log, oldest first, as `rebuild` does.

    What came after the last reading is no difference: the next cycle reads it.
    """
    read = ledger.tip()
    if read and all(oid != read for oid, _, _ in history(tip)):
        yield f"the history no longer holds {read[:12]}, up to which the ledger was read"
        return
    said = {one.key: one for one in ledger.list()}
    true = _again(history(read) if read else (), read)
    for key in sorted(said.keys() | true.keys()):
        if said.get(key) != true.get(key):
            yield f"{key}: the ledger says {_spelt(said.get(key))}, the history {_spelt(true.get(key))}"


def _again(log: Iterable[tuple[str, str, str]], tip: str) -> dict[str, Added]:
    with TemporaryDirectory(prefix="plusone-ledger-") as folder:
        fresh = LedgerStore(Path(folder, "ledger.db"))
        fresh.rebuild(log, tip)
        return {one.key: one for one in fresh.list()}


def _spelt(one: Added | None) -> str:
    return f"{one.commit[:12]} of {one.when}, cycle {one.cycle or 'unknown'}" if one else "nothing"
