"""The ledger is what the history says; damage is told, never read as empty."""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest

from bot.errors import LedgerError
from ledger.contents import Added, Rejected
from ledger.file import _told
from ledger.store import FADING, LedgerStore
from ledger.trailers import trailers

DAY = "2026-11-30T04:00:07+00:00"


def commit(number: int, *keys: str, day: str = DAY) -> tuple[str, str, str]:
    oid = f"{number:040x}"
    return oid, day, f"Title {number}\n\nWords.\n\n{trailers(f'cycle-{number}', keys, ('lint: files 3',))}\n"


HUMAN = ("f" * 40, DAY, "Mend the lamp\n\nPlusone is mentioned here, Plusone-Adds: articles/x\n")


@pytest.fixture
def ledger(tmp_path: Path) -> LedgerStore:
    return LedgerStore(tmp_path / "state" / "ledger.db", ("feature/rss-feed",))


def test_a_new_ledger_knows_what_is_configured(ledger: LedgerStore) -> None:
    assert ledger.known() == {"feature/rss-feed": "known before, by [ledger] known"}
    assert ledger.list() == () and ledger.rejected(9) == ()


def test_the_history_is_read_with_commit_and_date(ledger: LedgerStore) -> None:
    ledger.rebuild([commit(1, "articles/a"), HUMAN, commit(2, "feature/x", "url_map/GET%20%2Fx")], "tip")
    assert ledger.known()["articles/a"] == "committed in 0000000000 on 2026-11-30"
    assert list(ledger.known()) == ["feature/rss-feed", "url_map/GET%20%2Fx", "feature/x", "articles/a"]
    assert ledger.list()[0] == Added("articles/a", f"{1:040x}", DAY, "cycle-1")


def test_the_first_commit_of_a_key_counts(ledger: LedgerStore) -> None:
    ledger.rebuild([commit(1, "articles/a", day="2026-01-01"), commit(2, "articles/a", day="2026-02-02")], "tip")
    assert [one.when for one in ledger.list()] == ["2026-01-01"]


def test_the_same_tip_is_not_read_again(ledger: LedgerStore) -> None:
    ledger.rebuild([commit(1, "articles/a")], "tip")

    def untouchable() -> Iterator[tuple[str, str, str]]:
        raise AssertionError("read again")
        yield

    ledger.rebuild(untouchable(), "tip")
    assert "articles/a" in ledger.known()


def test_another_tip_is_read_whole_so_that_a_rewound_history_loses_its_keys(ledger: LedgerStore) -> None:
    ledger.rebuild([commit(1, "articles/a"), commit(2, "articles/b")], "two")
    ledger.rebuild([commit(1, "articles/a")], "one")
    assert "articles/b" not in ledger.known() and "articles/a" in ledger.known()


def test_a_rebuild_that_breaks_off_changes_nothing(ledger: LedgerStore) -> None:
    ledger.rebuild([commit(1, "articles/a")], "one")

    def broken() -> Iterator[tuple[str, str, str]]:
        yield commit(2, "articles/b")
        raise OSError("git died")

    with pytest.raises(OSError, match="git died"):
        ledger.rebuild(broken(), "two")
    assert [one.key for one in ledger.list()] == ["articles/a"]
    ledger.rebuild([commit(2, "articles/b")], "two")
    assert [one.key for one in ledger.list()] == ["articles/b"]


def idea(cycle: str, *keys: str, day: str = DAY, fades: bool = False) -> Rejected:
    return Rejected(keys, f"reason of {cycle}", cycle, day, fades, (f"patch-{cycle}",))


def test_rejected_ideas_are_kept_newest_first_and_survive_another_reading(ledger: LedgerStore) -> None:
    ledger.remember([idea("c2"), idea("c1", "articles/a")])
    ledger.rebuild([commit(1, "articles/z")], "tip")
    assert ledger.rejected(1) == (idea("c2"),)
    assert [one.cycle for one in ledger.rejected()] == ["c2", "c1"]


def test_a_rejection_that_is_told_twice_counts_once_and_the_last_word_holds(ledger: LedgerStore) -> None:
    ledger.remember([idea("c1", "articles/a")])
    ledger.remember([idea("c1", "articles/b")])
    assert [one.keys for one in ledger.rejected()] == [("articles/b",)]


def test_a_rejected_key_is_known_with_its_reason_until_it_is_committed(ledger: LedgerStore) -> None:
    ledger.remember([idea("c1", "articles/a", "articles/b")])
    assert ledger.known()["articles/a"] == "rejected on 2026-11-30 in c1: reason of c1"
    ledger.rebuild([commit(1, "articles/a")], "tip")
    assert ledger.known()["articles/a"].startswith("committed") and "articles/b" in ledger.known()


def test_an_idea_that_met_bad_luck_alone_fades(ledger: LedgerStore) -> None:
    ledger.remember([idea("c1", "articles/a", fades=True), idea("c2", "articles/b")])
    then = datetime.fromisoformat(DAY)
    for now, known in ((then + FADING, {"articles/a", "articles/b"}), (then + FADING * 1.01, {"articles/b"})):
        assert set(ledger.known(now)) - {"feature/rss-feed"} == known
        assert {key for one in ledger.rejected(now=now) for key in one.keys} == known


def test_what_the_site_holds_no_longer_is_known_as_removed_and_comes_first(ledger: LedgerStore) -> None:
    ledger.rebuild([commit(1, "articles/a"), commit(2, "articles/b"), commit(3, "articles/c")], "tip")
    known = ledger.known(gone={"articles/b"})
    assert list(known)[1:] == ["articles/b", "articles/c", "articles/a"]
    assert known["articles/b"] == "committed in 0000000000 on 2026-11-30, and removed since"


def test_the_bytes_follow_from_the_contents_alone(tmp_path: Path) -> None:
    """However the ledger came to know what it knows, making it again makes the very same file."""
    log = [commit(1, "articles/a"), HUMAN, commit(2, "articles/b", "url_map/GET%20%2Fb")]
    grown, again = LedgerStore(tmp_path / "grown.db"), LedgerStore(tmp_path / "again.db")
    grown.rebuild(log[:1], "one")
    grown.remember([idea("c2", "x/y")])
    grown.rebuild(log, "three")
    grown.remember([idea("c1", fades=True)])
    grown.remember([idea("c2", "x/y")])
    again.renew(log, "three", [idea("c1", fades=True), idea("c2", "x/y")])
    assert (tmp_path / "grown.db").read_bytes() == (tmp_path / "again.db").read_bytes()


def test_a_long_history_is_read_fast(ledger: LedgerStore) -> None:
    began = time.process_time()
    ledger.rebuild((commit(n, f"articles/a{n}") if n % 4 == 0 else HUMAN for n in range(20_000)), "tip")
    assert len(ledger.list()) == 5_000
    assert time.process_time() - began < 5


def _damage(path: Path, how: str) -> None:
    whole = path.read_bytes()
    match how:
        case "emptied":
            path.write_bytes(b"")
        case "cut short":
            path.write_bytes(whole[: len(whole) // 2])
        case "overwritten":
            path.write_bytes(b"not a database at all" * 99)
        case "holed":
            path.write_bytes(whole[:4096] + b"\xff" * (len(whole) - 4096))
        case "of another format":
            with sqlite3.connect(path) as db:
                db.execute("PRAGMA user_version = 7")
            db.close()


@pytest.mark.parametrize("how", ["emptied", "cut short", "overwritten", "holed", "of another format"])
def test_damage_is_told_with_the_file_and_the_way_out(ledger: LedgerStore, tmp_path: Path, how: str) -> None:
    path = tmp_path / "state" / "ledger.db"
    ledger.rebuild((commit(n, f"articles/a{n}") for n in range(300)), "tip")
    _damage(path, how)
    for ask in (ledger.known, ledger.list, lambda: ledger.rejected(1), lambda: ledger.remember([idea("c")])):
        with pytest.raises(LedgerError, match="plusone ledger rebuild") as caught:
            ask()
        assert str(path) in str(caught.value)


def test_after_damage_the_file_is_set_aside_and_the_history_read_anew(ledger: LedgerStore, tmp_path: Path) -> None:
    path = tmp_path / "state" / "ledger.db"
    ledger.rebuild([commit(1, "articles/z")], "one")
    path.write_bytes(b"")
    assert ledger.set_aside() == path.with_name("ledger.db.damaged")
    ledger.rebuild([commit(1, "articles/a")], "tip")
    assert "articles/a" in ledger.known()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_told_and_never_waited_for(make: Callable[[Path], None], tmp_path: Path) -> None:
    make(tmp_path / "ledger.db")
    with pytest.raises(LedgerError, match="cannot be opened: it is no file; move it away"):
        LedgerStore(tmp_path / "ledger.db").known()


def test_two_that_open_a_new_ledger_at_once_both_can(tmp_path: Path) -> None:
    ledger, failed = LedgerStore(tmp_path / "ledger.db"), []

    def tell(number: int) -> None:
        try:
            ledger.remember([idea(f"c{number}")])
        except LedgerError as error:
            failed.append(error)

    threads = [threading.Thread(target=tell, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == [] and len(ledger.rejected(99)) == 8
    assert [one.name for one in tmp_path.iterdir()] == ["ledger.db"]


def taken_back(number: int, key: str) -> tuple[str, str, str]:
    return (f"{number:040x}", DAY, f"Revert it\n\n{trailers('c9', (), (), (key,))}")


def test_what_the_history_took_back_is_known_as_removed_until_it_comes_again(tmp_path: Path) -> None:
    ledger = LedgerStore(tmp_path / "ledger.db")
    log = [commit(1, "articles/a"), commit(2, "articles/b"), taken_back(3, "articles/a"), taken_back(4, "articles/x")]
    ledger.renew(log, log[-1][0], ())
    assert ledger.contents().removed == ("articles/a",), "what was never added cannot be removed"
    assert "and removed since" in ledger.known()["articles/a"] and "removed" not in ledger.known()["articles/b"]
    again = [*log, commit(5, "articles/a")]
    ledger.rebuild(again, again[-1][0])
    assert ledger.contents().removed == () and "removed" not in ledger.known()["articles/a"]


def test_a_ledger_without_removals_is_written_as_ever(tmp_path: Path) -> None:
    ledger = LedgerStore(tmp_path / "ledger.db")
    ledger.renew([commit(1, "articles/a")], f"{1:040x}", ())
    with sqlite3.connect(tmp_path / "ledger.db") as raw:
        assert raw.execute("SELECT name FROM fact").fetchall() == [("tip",)]
        raw.execute("INSERT INTO fact VALUES ('removed', '{')")
    with pytest.raises(LedgerError, match="is damaged"):
        ledger.contents()


def test_a_full_disk_is_told_as_one(tmp_path: Path) -> None:
    book = sqlite3.connect(tmp_path / "small.db", isolation_level=None)
    book.execute("PRAGMA max_page_count = 3")
    book.execute("CREATE TABLE lamp (name)")
    with (
        pytest.raises(LedgerError, match="cannot grow: the disk is full; free some space"),
        _told(tmp_path / "small.db"),
    ):
        book.executemany("INSERT INTO lamp VALUES (?)", [("x" * 3000,)] * 9)
    book.close()
