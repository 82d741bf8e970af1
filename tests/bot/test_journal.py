"""The journal's file and rows, over real SQLite."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from bot.errors import ConfigError, JournalError
from bot.journal import Journal, Reserve
from bot.model import Failed, Outcome, Reverted, Skipped, Spent, Tokens
from tests.support.toys import DONE, Bad, Frozen, Good, Ground, HandClock, Seed, journal, opening

WORST = Tokens(input=1000, output=500)


@pytest.fixture
def book(tmp_path: Path) -> Iterator[Journal]:
    made = journal(tmp_path)
    yield made
    made.shut()


def reserve(book: Journal, cycle: str = "c1", usd: float | None = 0.5, visit: int = 1) -> int:
    return book.reserve(Reserve(cycle, "write", visit, "sonnet", WORST, usd), lambda *_: None)


def closed(book: Journal, cycle: str, outcome: Outcome) -> None:
    book.open_run(opening(cycle))
    book.close(cycle, outcome)


def test_a_run_row_tells_what_was_opened_and_how_it_ended(book: Journal) -> None:
    assert book.open_run(opening()) == 1
    assert book.run("c1").outcome is None
    book.close("c1", DONE, stage="finish", base="base0")
    row = book.run("c1")
    assert (row.outcome, row.reason, row.stage, row.base, row.commit) == (
        "committed",
        "done",
        "finish",
        "base0",
        "c0ffee",
    )
    assert (row.started, row.ended) == ("2026-11-30T04:00:00.000+00:00",) * 2
    assert book.value(row.given_type, row.given) == Seed()
    assert book.value(row.result_type or "", row.result or "") == DONE


def test_an_outcome_with_a_stage_of_its_own_keeps_it(book: Journal) -> None:
    book.open_run(opening())
    book.close("c1", Failed("gate", "broke", "usd", exit_code=69), stage="other")
    row = book.run("c1")
    assert (row.stage, row.stopped_by, row.exit_code) == ("gate", "usd", 69)


def test_a_step_is_in_flight_until_it_ends(book: Journal) -> None:
    book.open_run(opening())
    book.start("c1", 1, "prepare")
    assert [(step.node, step.ended, step.type) for step in book.steps("c1")] == [("prepare", None, None)]
    book.end("c1", 1, Frozen("tree1"))
    step = book.steps("c1")[0]
    assert (step.type, step.tree, step.tokens, step.usd) == ("Frozen", "tree1", 0, 0.0)
    assert book.value(step.type or "", step.value or "") == Frozen("tree1")


def test_a_step_that_starts_again_keeps_its_row(book: Journal) -> None:
    book.open_run(opening())
    book.start("c1", 1, "prepare")
    book.start("c1", 1, "prepare")
    assert [step.visit for step in book.steps("c1")] == [1]


def test_a_step_in_flight_does_not_become_another_node(book: Journal) -> None:
    book.open_run(opening())
    book.start("c1", 1, "prepare")
    with pytest.raises(JournalError):
        book.start("c1", 1, "write")
    assert book.steps("c1")[0].node == "prepare"


def test_a_step_that_ended_is_never_written_again(book: Journal) -> None:
    book.open_run(opening())
    book.start("c1", 1, "prepare")
    book.end("c1", 1, Ground())
    with pytest.raises(JournalError):
        book.start("c1", 1, "prepare")
    with pytest.raises(JournalError):
        book.end("c1", 1, Ground("other"))


def test_visits_of_a_node_are_counted(book: Journal) -> None:
    book.open_run(opening())
    for seq, node in enumerate(("judge", "mend", "judge"), start=1):
        book.start("c1", seq, node)
    assert [(step.node, step.visit) for step in book.steps("c1")] == [("judge", 1), ("mend", 1), ("judge", 2)]


def test_an_old_fence_writes_nothing(tmp_path: Path, book: Journal) -> None:
    book.open_run(opening())
    book.start("c1", 1, "prepare")
    other = journal(tmp_path)
    assert other.take_over("c1") == 2
    other.shut()
    for write in (
        lambda: book.start("c1", 2, "write"),
        lambda: book.end("c1", 1, Ground()),
        lambda: book.close("c1", DONE),
        lambda: reserve(book),
    ):
        with pytest.raises(JournalError, match="taken over by another process; nothing written"):
            write()
    assert book.run("c1").ended is None
    assert book.steps("c1")[0].ended is None
    assert book.calls("c1") == ()


def test_fences_grow_over_all_runs(book: Journal) -> None:
    assert [book.open_run(opening(cycle)) for cycle in ("c1", "c2")] == [1, 2]
    assert book.take_over("c1") == 3


def test_a_run_is_opened_once_and_closed_once(book: Journal) -> None:
    closed(book, "c1", DONE)
    with pytest.raises(JournalError):
        book.open_run(opening())
    with pytest.raises(JournalError, match="the run c1 is closed"):
        book.close("c1", DONE)
    with pytest.raises(JournalError, match="no open run c1"):
        book.take_over("c1")


def test_open_runs_and_the_newest_runs_are_listed(book: Journal) -> None:
    for cycle in ("c1", "c2", "c3"):
        book.open_run(opening(cycle))
    book.close("c2", DONE)
    assert [run.cycle for run in book.open_runs()] == ["c1", "c3"]
    assert [run.cycle for run in book.runs(2)] == ["c3", "c2"]


def test_an_unknown_run_is_refused_by_name(book: Journal) -> None:
    with pytest.raises(JournalError, match="knows no cycle c9"):
        book.run("c9")


def test_failures_in_a_row_end_at_the_first_health_and_skips_are_no_health(book: Journal) -> None:
    outcomes: tuple[Outcome, ...] = (
        DONE,
        Failed("a", "b"),
        Skipped("wait", "quiet", "too soon"),
        Failed("a", "b"),
        Skipped("setup", "x", "y"),
    )
    for number, outcome in enumerate(outcomes):
        closed(book, f"c{number}", outcome)
    book.open_run(opening("c9"))
    assert book.failures_in_a_row() == 2
    assert book.failures_in_a_row(after="c1") == 1
    assert book.failures_in_a_row(after="c4") == 0
    book.close("c9", Reverted("guards", "no"))
    assert book.failures_in_a_row() == 0


def test_the_verdict_on_a_tree_is_found_again_in_its_own_run_only(book: Journal) -> None:
    book.open_run(opening())
    for seq, value in enumerate((Good("tree1"), Bad("tree2"), Good("tree2")), start=1):
        book.start("c1", seq, "validate")
        book.end("c1", seq, value)
    book.start("c1", 4, "gate")
    book.end("c1", 4, Good("tree3"))
    assert book.reviewed("c1", "tree1") == Good("tree1")
    assert book.reviewed("c1", "tree2") == Good("tree2")
    assert book.reviewed("c1", "tree3") is None
    assert book.reviewed("c2", "tree1") is None


def test_a_note_is_kept_replaced_and_forgotten(tmp_path: Path, book: Journal) -> None:
    book.set_note("paused", "by hand")
    book.set_note("paused", "by hand, again")
    other = journal(tmp_path)
    assert other.note("paused") == "by hand, again"
    other.set_note("paused", None)
    other.shut()
    assert book.note("paused") is None


def test_an_open_call_counts_at_its_reserve_until_it_is_settled(book: Journal) -> None:
    book.open_run(opening())
    call = reserve(book)
    assert book.spent("c1") == Spent(1, WORST, 0.5)
    book.settle(call, Tokens(10, 20, 30, 40), 0.01, "done")
    assert book.spent("c1") == Spent(1, Tokens(10, 20, 30, 40), 0.01)
    assert [(one.state, one.reserved_tokens, one.reserved_usd) for one in book.calls("c1")] == [("done", 1500, 0.5)]


def test_a_failed_call_of_unknown_usage_keeps_its_reserve(book: Journal) -> None:
    book.open_run(opening())
    book.settle(reserve(book), None, None, "failed")
    assert book.spent("c1") == Spent(1, WORST, 0.5)
    assert book.calls("c1")[0].state == "failed"


def test_a_settled_call_stays_as_it_is(book: Journal) -> None:
    book.open_run(opening())
    call = reserve(book)
    book.settle(call, Tokens(1), 0.01, "done")
    book.settle(call, Tokens(), 0.0, "done")
    assert book.spent("c1").tokens == Tokens(1)


def test_one_unknown_price_makes_the_sum_unknown(book: Journal) -> None:
    book.open_run(opening())
    reserve(book)
    reserve(book, usd=None)
    assert book.spent("c1").usd is None


def test_a_day_is_utc_and_counts_every_run(tmp_path: Path) -> None:
    clock = HandClock()
    book = journal(tmp_path, clock)
    for cycle in ("c1", "c2"):
        book.open_run(opening(cycle))
        reserve(book, cycle)
    clock.forward(days=1)
    reserve(book, "c2")
    assert book.spent_on("2026-11-30").calls == 2
    assert book.spent_on(book.today()).calls == 1
    assert book.spent("c2").calls == 2
    book.shut()


def test_what_the_check_raises_leaves_no_call(book: Journal) -> None:
    book.open_run(opening())

    def refuse(cycle: Spent, day: Spent) -> None:
        raise ConfigError(f"{cycle.calls} and {day.calls}")

    with pytest.raises(ConfigError, match="0 and 0"):
        book.reserve(Reserve("c1", "write", 1, "sonnet", WORST, 0.5), refuse)
    assert book.calls("c1") == ()
    assert reserve(book)


def test_calls_of_one_visit_are_numbered_and_summed_into_its_step(book: Journal) -> None:
    book.open_run(opening())
    book.start("c1", 1, "write")
    for _ in range(2):
        book.settle(reserve(book), Tokens(5, 5), 0.25, "done")
    reserve(book, visit=2)
    book.end("c1", 1, Ground())
    assert [(call.visit, call.seq) for call in book.calls("c1")] == [(1, 1), (1, 2), (2, 1)]
    assert (book.steps("c1")[0].tokens, book.steps("c1")[0].usd) == (20, 0.5)


def test_threads_may_write_side_by_side(book: Journal) -> None:
    book.open_run(opening())
    threads = [threading.Thread(target=lambda: [reserve(book) for _ in range(10)]) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(call.seq for call in book.calls("c1")) == list(range(1, 41))


def test_the_file_is_for_its_owner_only_and_syncs_every_commit(tmp_path: Path, book: Journal) -> None:
    assert (tmp_path / "journal.db").stat().st_mode & 0o777 == 0o600
    assert [*book._connection.execute("PRAGMA synchronous").fetchone()] == [2]
    assert [*book._connection.execute("PRAGMA journal_mode").fetchone()] == ["wal"]
    assert not list(tmp_path.glob("*.new-*"))


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "cut to nothing": lambda whole: b"",
    "cut short": lambda whole: whole[: len(whole) // 2],
    "overwritten": lambda whole: os.urandom(len(whole)),
    "a text": lambda whole: b"not a database at all\n" * 20,
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_journal_is_named_and_kept(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "journal.db"
    made = journal(tmp_path)
    closed(made, "c1", DONE)
    made.shut()
    path.write_bytes(DAMAGE[damage](path.read_bytes()))
    before = path.read_bytes()
    with pytest.raises(JournalError, match=r"journal\.db .*the file is kept as it is"):
        journal(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: os.symlink("/nonexistent/journal", path)])
def test_what_is_no_file_is_named_and_never_waited_for(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "journal.db")
    with pytest.raises(JournalError, match=r"journal\.db is no file; the file is kept as it is"):
        journal(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["journal.db"]


def test_an_empty_file_is_told_from_a_foreign_one(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    with pytest.raises(JournalError, match="is empty, which no journal ever is"):
        journal(tmp_path)


def test_a_database_of_another_program_is_refused_unchanged(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with sqlite3.connect(path) as foreign:
        foreign.execute("CREATE TABLE run (songs TEXT)")
    before = path.read_bytes()
    with pytest.raises(JournalError, match="is a database of another program"):
        journal(tmp_path)
    assert path.read_bytes() == before


def test_a_newer_schema_is_refused_with_both_versions(tmp_path: Path) -> None:
    journal(tmp_path).shut()
    with sqlite3.connect(tmp_path / "journal.db") as newer:
        newer.execute("UPDATE meta SET value = '9' WHERE key = 'schema'")
    with pytest.raises(JournalError, match="has version 9, this program writes version 1"):
        journal(tmp_path)


def test_a_log_without_its_journal_is_refused(tmp_path: Path) -> None:
    (tmp_path / "journal.db-wal").write_bytes(b"left behind")
    with pytest.raises(JournalError, match="lies there without its journal"):
        journal(tmp_path)
    assert not (tmp_path / "journal.db").exists()


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match="cannot be made"):
        journal(tmp_path / "file" / "state")


def test_a_full_disk_is_told_and_what_was_recorded_stays(book: Journal) -> None:
    book.open_run(opening())
    pages = book._connection.execute("PRAGMA page_count").fetchone()[0]
    book._connection.execute(f"PRAGMA max_page_count = {pages}")
    book.start("c1", 1, "prepare")
    with pytest.raises(JournalError, match="the disk is full; free some space"):
        book.end("c1", 1, Ground("x" * 1_000_000))
    assert book.steps("c1")[0].ended is None
    book.end("c1", 1, Ground())


def test_a_journal_that_another_program_holds_is_told(tmp_path: Path, book: Journal) -> None:
    book._connection.execute("PRAGMA busy_timeout = 10")
    holder = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(JournalError, match="is held by another program"):
        book.open_run(opening())
    holder.execute("ROLLBACK")
    holder.close()
    assert book.open_run(opening()) == 1
