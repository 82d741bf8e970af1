"""What the journal's runs become in the ledger, over a real journal; and what a cycle is told of it."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from bot.base.cache import FolderCache
from bot.base.known import TOLD, keep, kept, learnt
from bot.codec import decode, encode
from bot.journal import Journal, Opening
from bot.machine.clock import SystemClock
from bot.model import Addition, Built, Claim, Committed, Failed, Outcome, Range, Reverted, Skipped, Trigger, Waiting
from bot.operation.attempts import attempts
from ledger.contents import Rejected
from ledger.store import LedgerStore
from tests.support.holdings import holdings, registry
from tests.support.values import objection, snapshot

ARTICLE = Addition("article", {"articles": Range(1, 1)})
CLAIM = Claim("article", "fog-horn", "A horn.")
TURNED_DOWN = Reverted("guards", "two things", (objection("guards"),))


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.db", SystemClock(), encode, decode)


def run(journal: Journal, outcome: Outcome, number: int = 1, claim: Claim | None = CLAIM, dry_run: bool = False) -> str:
    cycle = f"2026113{number}T040000Z-000{number}"
    trigger = Trigger(cycle, "2026-11-30T04:00:00+00:00", dry_run)
    journal.open_run(Opening(cycle, "graph", trigger, dry_run=dry_run))
    steps = (Built(claim), *(replace(snapshot(), patch=patch) for patch in ("p1", "p2", "p1")))
    for seq, value in enumerate(steps):
        journal.start(cycle, seq, "node")
        journal.end(cycle, seq, value)
    journal.close(cycle, outcome, "build")
    return cycle


def told(journal: Journal) -> list[Rejected]:
    return list(attempts(journal, (ARTICLE,)))


def test_a_rejection_is_told_with_its_keys_reason_and_all_changes_that_were_tried(journal: Journal) -> None:
    cycle = run(journal, TURNED_DOWN)
    started = journal.run(cycle).started
    assert told(journal) == [Rejected(("articles/fog-horn",), "two things", cycle, started, False, ("p1", "p2"))]


@pytest.mark.parametrize(
    ("outcome", "fades"),
    [
        (Failed("fix", "still two things", "decide→fix", (objection(),)), False),
        (Reverted("commit", "lost the race: main moved"), True),
        (Reverted("validate", "the reviewer could not be read twice"), True),
        (Failed("gate", "the disk is full"), True),
    ],
)
def test_an_ending_without_an_objection_says_nothing_against_the_idea(
    journal: Journal, outcome: Outcome, fades: bool
) -> None:
    run(journal, outcome)
    assert [one.fades for one in told(journal)] == [fades]


@pytest.mark.parametrize(
    "outcome", [Committed("c", "t", "added"), Waiting("c", "t", "asked"), Skipped("wait", "x", "y")]
)
def test_what_was_not_turned_down_is_no_rejected_idea(journal: Journal, outcome: Outcome) -> None:
    run(journal, outcome)
    assert told(journal) == []


def test_a_run_without_a_claim_and_a_dry_one_leave_nothing(journal: Journal) -> None:
    run(journal, TURNED_DOWN, 1, claim=None)
    run(journal, TURNED_DOWN, 2, dry_run=True)
    assert told(journal) == []


def test_the_newest_runs_may_be_asked_for(journal: Journal) -> None:
    cycles = [run(journal, TURNED_DOWN, number) for number in (1, 2, 3)]
    assert [one.cycle for one in attempts(journal, (), 2)] == cycles[:0:-1]


def test_a_run_of_another_version_is_passed_over_and_said(journal: Journal, tmp_path: Path) -> None:
    cycles = [run(journal, TURNED_DOWN, number) for number in (1, 2)]
    with sqlite3.connect(tmp_path / "journal.db") as db:
        db.execute("UPDATE step SET type = 'Sketch' WHERE cycle = ? AND seq = 1", (cycles[0],))
    db.close()
    said: list[str] = []
    assert [one.cycle for one in attempts(journal, (), passed_over=said.append)] == cycles[1:]
    assert len(said) == 1 and said[0].startswith(f"{cycles[0]} is passed over: ") and "Sketch" in said[0]


NOW = datetime.fromisoformat("2026-11-30T12:00:00+00:00")


def test_a_cycle_knows_the_site_the_history_and_what_was_rejected(tmp_path: Path) -> None:
    ledger = LedgerStore(tmp_path / "ledger.db", ("feature/rss-feed",))
    ledger.remember([Rejected(("articles/x",), "dull", "c1", NOW.isoformat(), False, ("p1",))])
    known = learnt(ledger, holdings(registry("articles", "a", "b"), rules=("/",)), NOW)
    assert list(known.keys) == ["feature/rss-feed", "articles/x", "articles/b", "articles/a", "url_map/GET%20%2F"]
    assert known.keys["articles/a"] == "stands in the site"
    assert known.rejected == ("articles/x: dull",) and known.patches == {"p1": "rejected in c1: dull"}


def test_what_faded_is_neither_known_nor_told(tmp_path: Path) -> None:
    ledger = LedgerStore(tmp_path / "ledger.db")
    ledger.remember([Rejected(("articles/x",), "lost", "c1", NOW.isoformat(), True, ("p1",))])
    late = learnt(ledger, holdings(rules=()), NOW + timedelta(days=8))
    assert (late.keys, late.rejected, late.patches) == ({}, (), {})


def test_rejected_ideas_are_told_in_bounds_and_the_rule_is_stated(tmp_path: Path) -> None:
    ledger = LedgerStore(tmp_path / "ledger.db")
    ideas = [Rejected((f"a/{n}",), "long " * 200, f"c{n:03}", NOW.isoformat()) for n in range(TOLD + 5)]
    ledger.remember(ideas)
    known = learnt(ledger, holdings(rules=()), NOW)
    assert len(known.rejected) == TOLD + 1 and known.rejected[0].startswith(f"a/{TOLD + 4}: long")
    assert known.rejected[-1] == f"(and 5 older ones; only the newest {TOLD} are listed, all are refused)"
    assert all(len(line) <= 300 for line in known.rejected) and len(known.keys) == TOLD + 5


def test_what_is_known_is_kept_in_its_order(tmp_path: Path) -> None:
    cache = FolderCache(tmp_path / "cache")
    ledger = LedgerStore(tmp_path / "ledger.db", ("z/z", "a/a"))
    known = learnt(ledger, holdings(registry("articles", "m"), rules=()), NOW)
    found = kept(cache, keep(cache, known))
    assert found == known and found is not None and list(found.keys) == ["z/z", "a/a", "articles/m"]
    assert kept(cache, "known-of-nothing") is None
