"""What is forgotten after `state.keep_days`, and what never is."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from bot.codec import decode, encode
from bot.journal import Journal, Opening
from bot.machine.clock import SystemClock
from bot.model import Committed, Failed, Outcome, Skipped, Trigger, Waiting
from bot.operation.attempts import attempts
from bot.operation.holds import RESUMED, broken
from ledger.store import LedgerStore
from tests.endings.test_waiting import ASK, say
from tests.support.firing import Place, place, warmed
from tests.support.repository import git

LONG_AFTER = timedelta(days=100)
LATER = datetime.now(UTC) + timedelta(days=90)
DONE, BROKE, NOT_NOW = Committed("c" * 40, "t" * 40, "added"), Failed("build", "broke"), Skipped("wait", "w", "w")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal.db", SystemClock(), encode, decode)


def ran(journal: Journal, number: int, outcome: Outcome | None, ago: int) -> str:
    """A run that ended so many days ago."""
    cycle = f"run-{number}"
    with time_machine.travel(datetime.now(UTC) - timedelta(days=ago)):
        journal.open_run(Opening(cycle, "graph", Trigger(cycle, "2026-11-30T04:00:00+00:00")))
        if outcome:
            journal.close(cycle, outcome, "build")
    return cycle


def past(journal: Journal, spared: int = 0, but: str = "") -> list[int]:
    runs = journal.past_runs(datetime.now(UTC) - timedelta(days=90), spared, but)
    return [int(run.cycle.removeprefix("run-")) for run in runs]


def test_only_what_is_closed_settled_old_and_not_the_newest_is_past(journal: Journal) -> None:
    for number, outcome in enumerate((DONE, Waiting("c", "t", "waits"), None, NOT_NOW, BROKE)):
        ran(journal, number, outcome, ago=200)
    ran(journal, 5, DONE, ago=89)
    ran(journal, 6, NOT_NOW, ago=200)  # the newest row, by a clock that was put back
    assert past(journal, spared=1) == [0, 3, 4]


def test_an_open_breaker_stays_open_and_a_closed_one_closed_however_old_its_failures(journal: Journal) -> None:
    for number in range(5):
        ran(journal, number, BROKE, ago=200)
    ran(journal, 5, NOT_NOW, ago=150)
    ran(journal, 6, NOT_NOW, ago=0)
    hold, trigger = broken(journal, 3), Trigger("x", "2026-11-30T04:00:00+00:00")
    assert past(journal, journal.failures_in_a_row()) == [5], "all of them count"
    assert hold(trigger) is not None
    journal.set_note(RESUMED, "run-5")
    assert past(journal, journal.failures_in_a_row("run-5"), "run-5") == [0, 1, 2, 3, 4]
    for number in past(journal, 1, "run-5"):
        journal.forget(f"run-{number}", {})
    assert hold(trigger) is None and journal.failures_in_a_row("run-5") == 0


def test_all_of_a_run_is_forgotten_or_nothing(journal: Journal, tmp_path: Path) -> None:
    cycle = ran(journal, 0, DONE, ago=200)
    journal.set_note(f"consent/{cycle}", "{}")
    with pytest.raises(Exception, match="did not take"):
        journal.forget(cycle, {"idea/x": None})  # type: ignore[dict-item]
        journal.forget(cycle, {"idea/x": object()})  # type: ignore[dict-item]
    journal.forget(cycle, {f"idea/{cycle}": "{}"})
    assert journal.runs(9) == () and journal.note(f"consent/{cycle}") is None
    assert dict(journal.noted("idea/")) == {cycle: "{}"} and dict(journal.noted("ide_/")) == {}


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Place:
    """A site with an idea that was turned down, and a cycle that waits."""
    own = tmp_path_factory.getbasetemp()
    here = place(tmp_path_factory.mktemp("lived"), warmed(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own))
    assert here.fire("guard-two-things")["tree"]
    here.edit((ASK[0], ASK[1].replace("7d", "300d")))
    assert here.fire("committed-feature")["outcome"] == "waiting"
    for loose in here.state.store.glob("objects/??/*"):
        os.utime(loose, (1, 1))
    return here


def kept(here: Place) -> list[str]:
    return sorted(line.split("/")[3] for line in git(here.state.store, "for-each-ref", "refs/plusone").splitlines())


def test_long_after_nothing_is_left_but_what_waits_and_what_the_ledger_follows_from(lived: Place) -> None:
    here, ledger = lived, LedgerStore(lived.state.ledger, lived.settings.ledger.known)
    with here.journal() as journal:
        waiting, turned_down = (run.cycle for run in journal.runs(2))
    aside, young = (here.state.root / f"store.git.damaged-{number}" for number in (1, 2))
    aside.mkdir()
    young.mkdir()
    os.utime(young, (LATER.timestamp(), LATER.timestamp()))
    trees = git(here.state.store, "for-each-ref", "--format=%(objectname)", f"refs/plusone/snapshots/{turned_down}")
    before, tip = here.state.ledger.read_bytes(), here.tip
    with here.journal() as journal:
        ideas = list(attempts(journal, here.settings.additions))
    with time_machine.travel(datetime.now(UTC) + LONG_AFTER, tick=True):
        skipped = here.fire("committed")
        assert "waits for approval" in str(skipped["reason"])
        with here.journal() as journal:
            assert [run.cycle for run in journal.runs(9)] == [skipped["cycle"], waiting]
            assert list(attempts(journal, here.settings.additions)) == ideas and len(ideas) == 1
        assert say(here, "ledger verify").status == 0
        assert say(here, "ledger rebuild").status == 0
        assert here.state.ledger.read_bytes() == before and ledger.rejected() == tuple(ideas)
        assert {path.name for path in here.state.cycles.iterdir()} == {waiting}
        assert young.exists() and not aside.exists()
        assert set(kept(here)) == {waiting} and list(here.state.cache.iterdir()) == []
        assert trees and all(not there(here, tree) for tree in trees.split()) and there(here, tip)
        assert say(here, f"approve {waiting}").status == 0 and here.tip != tip
    here.clean()


def there(here: Place, oid: str) -> bool:
    return oid in git(here.state.store, "cat-file", "--batch-all-objects", "--batch-check")


def test_on_the_same_day_nothing_is_looked_at_again(lived: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[object] = []
    look: Callable[..., object] = Journal.past_runs

    def past_runs(*given: object) -> object:
        calls.append(given)
        return look(*given)

    monkeypatch.setattr(Journal, "past_runs", past_runs)
    lived.fire("committed", dry_run=True)
    assert calls == [], "a dry run forgets nothing"
    for _ in range(3):
        lived.fire("committed")
    assert len(calls) <= 1


def test_what_cannot_be_removed_is_told_and_fails_no_cycle(lived: Place) -> None:
    (lived.state.cycles / "20200101T000000Z-0000").touch()
    (lived.state.cache / "a folder").mkdir()
    with lived.journal() as journal:
        journal.set_note("retained", None)
    os.utime(lived.state.cache / "a folder", (1, 1))
    assert lived.fire("committed")["exit_code"] == 0
    assert "old records could not be removed: " in say(lived, "status").out
    (lived.state.cache / "a folder").rmdir()
    lived.fire("committed")
    assert say(lived, "status", "--json").object["untidy"] is None
    assert not (lived.state.cycles / "20200101T000000Z-0000").exists()


def test_a_run_of_another_version_is_kept_for_it(lived: Place) -> None:
    with lived.journal() as journal:
        cycle = ran(journal, 0, BROKE, ago=500)
        journal.set_note("retained", None)
    with sqlite3.connect(lived.state.journal) as raw:
        raw.execute("INSERT INTO step VALUES (?, 0, 'build', 1, '', '', 'Forgotten', '{}', NULL, 0, 0)", (cycle,))
        raw.execute("INSERT INTO step VALUES ('x', 0, 'build', 1, '', '', 'Forgotten', '{}', NULL, 0, 0)")
    lived.fire("committed")
    lived.fire("committed")
    with lived.journal() as journal:
        assert journal.run(cycle).outcome == "failed"
