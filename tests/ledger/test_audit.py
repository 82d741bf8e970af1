"""Verifying tells each key and cycle on which the ledger parts from the history and the journal."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from pathlib import Path

import pytest

from ledger.audit import differences
from ledger.listing import listing
from ledger.store import LedgerStore
from tests.ledger.test_store import DAY, HUMAN, commit, idea

LOG = [commit(1, "articles/a"), HUMAN, commit(2, "articles/b"), commit(3, "articles/c")]
IDEAS = [idea("c1", "articles/x"), idea("c2", "articles/y", fades=True)]
TIP = LOG[-1][0]


def history(tip: str) -> list[tuple[str, str, str]]:
    return LOG[: 1 + [oid for oid, _, _ in LOG].index(tip)]


@pytest.fixture
def ledger(tmp_path: Path) -> LedgerStore:
    made = LedgerStore(tmp_path / "ledger.db", ("feature/rss-feed",))
    made.renew(LOG, TIP, IDEAS)
    return made


def parted(ledger: LedgerStore, tip: str = TIP) -> list[str]:
    return list(differences(ledger, tip, history, IDEAS))


def test_one_that_was_just_made_parts_in_nothing(ledger: LedgerStore, tmp_path: Path) -> None:
    assert parted(ledger) == []
    assert list(differences(LedgerStore(tmp_path / "new.db"), TIP, history)) == []


def test_what_came_after_the_last_reading_is_no_difference(ledger: LedgerStore) -> None:
    ledger.renew(LOG[:1], LOG[0][0], IDEAS)
    assert parted(ledger) == []


def test_a_history_that_was_rewritten_is_told(ledger: LedgerStore) -> None:
    assert parted(ledger, LOG[0][0]) == [f"the history no longer holds {TIP[:12]}, up to which the ledger was read"]


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("DELETE FROM added WHERE key = 'articles/a'", "articles/a: the ledger says nothing, the history 000000000000"),
        ("UPDATE added SET key = 'articles/z' WHERE key = 'articles/a'", "articles/z: the ledger says 000000000000"),
        (
            "DELETE FROM rejected WHERE cycle = 'c1'",
            "cycle c1: the ledger says nothing, the journal rejected articles/x",
        ),
        (
            "UPDATE rejected SET reason = 'none' WHERE cycle = 'c2'",
            "cycle c2: the ledger says rejected articles/y, for",
        ),
        ("CREATE TABLE mine (x)", "the file holds more than the ledger's rows"),
    ],
)
def test_each_difference_is_told_and_making_it_again_mends_it(
    ledger: LedgerStore, tmp_path: Path, statement: str, told: str
) -> None:
    whole = (tmp_path / "ledger.db").read_bytes()
    with sqlite3.connect(tmp_path / "ledger.db") as db:
        db.execute(statement)
    db.close()
    assert any(line.startswith(told) for line in parted(ledger)), parted(ledger)
    ledger.renew(LOG, TIP, IDEAS)
    assert (tmp_path / "ledger.db").read_bytes() == whole


def test_the_list_tells_each_key_once_with_its_state(ledger: LedgerStore) -> None:
    ledger.remember([idea("c3", "articles/a")])
    rows = listing(ledger, datetime.fromisoformat(DAY), {"articles/b"})
    assert [(one.state, one.key) for one in rows] == [
        ("configured", "feature/rss-feed"),
        ("committed", "articles/a"),
        ("removed", "articles/b"),
        ("committed", "articles/c"),
        ("rejected", "articles/x"),
        ("rejected", "articles/y"),
    ]
    assert rows[1].line == "committed articles/a 0000000000 2026-11-30"
    assert rows[4].line == "rejected articles/x c1 2026-11-30 reason of c1"


def test_a_removal_that_the_history_does_not_tell_of_is_a_difference(ledger: LedgerStore, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        raw.execute("""INSERT INTO fact VALUES ('removed', '["articles/a"]')""")
    raw.close()
    assert parted(ledger) == ["articles/a: the ledger says that it is removed, the history that it is not"]
