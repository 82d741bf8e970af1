"""A ledger compared with its history."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from ledger.audit import differences
from ledger.store import LedgerStore

Commits = list[tuple[str, str, str]]
DAY = "2026-11-01T00:00:00+00:00"
HISTORY: Commits = [
    ("c1" * 20, DAY, "First\n"),
    ("c2" * 20, DAY, "Two\n\nPlusone-Cycle: one\nPlusone-Adds: articles/a\n"),
    ("c3" * 20, DAY, "Three\n\nPlusone-Cycle: two\nPlusone-Adds: articles/b\n"),
]
TIP = HISTORY[-1][0]


def log(tip: str) -> Iterable[tuple[str, str, str]]:
    oids = [oid for oid, _, _ in HISTORY]
    return HISTORY[: oids.index(tip) + 1]


@pytest.fixture
def ledger(tmp_path: Path) -> LedgerStore:
    return LedgerStore(tmp_path / "ledger.db", ("known/before",))


def test_one_that_was_never_read_agrees_with_any_history(ledger: LedgerStore) -> None:
    assert list(differences(ledger, TIP, log)) == []


@pytest.mark.parametrize("read", [HISTORY[0][0], HISTORY[1][0], TIP])
def test_one_that_was_read_agrees_up_to_where_it_was_read(read: str, ledger: LedgerStore) -> None:
    ledger.rebuild(log(read), read)
    assert ledger.tip() == read
    assert list(differences(ledger, TIP, log)) == []


def test_each_key_on_which_they_part_is_a_line(ledger: LedgerStore) -> None:
    other = ("c2" * 20, DAY, "Two\n\nPlusone-Cycle: other\nPlusone-Adds: articles/a\nPlusone-Adds: articles/c\n")
    ledger.rebuild([HISTORY[0], other], TIP)
    assert list(differences(ledger, TIP, log)) == [
        f"articles/a: the ledger says c2c2c2c2c2c2 of {DAY}, cycle other, the history c2c2c2c2c2c2 of {DAY}, cycle one",
        f"articles/b: the ledger says nothing, the history c3c3c3c3c3c3 of {DAY}, cycle two",
        f"articles/c: the ledger says c2c2c2c2c2c2 of {DAY}, cycle other, the history nothing",
    ]


def test_a_history_that_lost_what_was_read_is_one_line(ledger: LedgerStore) -> None:
    ledger.rebuild(log(TIP), TIP)
    assert list(differences(ledger, HISTORY[1][0], log)) == [
        "the history no longer holds c3c3c3c3c3c3, up to which the ledger was read"
    ]


def test_a_transaction_that_a_crash_cut_short_is_set_aside_with_the_file(ledger: LedgerStore, tmp_path: Path) -> None:
    ledger.rebuild(log(TIP), TIP)
    (tmp_path / "ledger.db-journal").write_bytes(b"half")
    aside = ledger.set_aside()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ledger.db.damaged", "ledger.db.damaged-journal"]
    assert aside.exists() and ledger.tip() == ""
