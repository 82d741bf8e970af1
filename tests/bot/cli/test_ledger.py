"""`plusone ledger`: what is known, whether the history agrees, and making it again."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from bot.store.git import Git, Identity, commit_files
from tests.support.commands import Done, Fired, complaint, fired, plusone

KNOWN = {"feature/rss-feed", "articles/the-wreckers-of-long-bank"}
PERSON = Identity("A keeper", "keeper@example.org", "2026-11-01T00:00:00+00:00")


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fired:
    """A site whose cycle was committed."""
    return fired("committed", tmp_path_factory).copied(tmp_path / "site")


def ledger(site: Fired, *arguments: str) -> Done:
    return plusone("ledger", *arguments, "--config", site.config)


def known(site: Fired) -> set[str]:
    found = ledger(site, "list", "--json").object
    assert set(found) == {"schema_version", "known", "entries"} and isinstance(found["known"], dict)
    return set(found["known"])


def change(site: Fired, statement: str) -> None:
    with sqlite3.connect(site.state / "ledger.db") as database:
        assert database.execute(statement).rowcount == 1


def test_it_is_rebuilt_from_the_trailers(site: Fired) -> None:
    done = ledger(site, "rebuild")
    assert (done.status, done.out, done.err) == (0, "3 keys known\n", "")
    assert ledger(site, "rebuild", "--json").object == {"schema_version": 1, "known": 3}
    assert known(site) - KNOWN == {"articles/the-horn-on-gannet-rock"}
    line = next(line for line in ledger(site, "list").out.splitlines() if "gannet" in line)
    assert str(site.report["commit"])[:10] in line


def test_a_damaged_one_is_set_aside_and_made_again(site: Fired) -> None:
    (site.state / "ledger.db").write_bytes(b"rust " * 1000)
    assert "mend it with: plusone ledger rebuild" in complaint(ledger(site, "list"), 1)
    done = ledger(site, "rebuild")
    assert (done.status, done.out) == (0, "3 keys known\n")
    assert done.err == f"the damaged ledger is kept as {site.state}/ledger.db.damaged\n"
    assert (site.state / "ledger.db.damaged").read_bytes() == b"rust " * 1000
    assert len(known(site)) == 3


def test_one_that_agrees_with_the_history_is_verified(site: Fired) -> None:
    for _ in ("as the cycle left it", "up to the tip"):
        done = ledger(site, "verify")
        assert (done.status, done.out, done.err) == (0, "the ledger says what the history says\n", "")
        ledger(site, "rebuild")
    assert ledger(site, "verify", "--json").object == {"schema_version": 1, "differences": []}


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        ("DELETE FROM added", "articles/the-horn-on-gannet-rock: the ledger says nothing, the history "),
        ("UPDATE added SET key = 'articles/mine'", "articles/mine: the ledger says "),
        ("UPDATE added SET oid = 'f00'", "the ledger says f00 of "),
    ],
)
def test_one_that_was_changed_is_1_with_each_difference_and_rebuilding_mends_it(
    statement: str, says: str, site: Fired
) -> None:
    ledger(site, "rebuild")
    change(site, statement)
    done = ledger(site, "verify")
    assert (done.status, done.err) == (1, "") and says in done.out
    differences = ledger(site, "verify", "--json").object["differences"]
    assert isinstance(differences, list) and "\n".join(differences) + "\n" == done.out
    assert ledger(site, "rebuild").out == "3 keys known\n"
    assert ledger(site, "verify").status == 0


def test_what_came_after_the_last_reading_is_no_difference(site: Fired) -> None:
    ledger(site, "rebuild")
    message = "By hand\n\nPlusone-Cycle: 20261101T000000Z-0000\nPlusone-Adds: articles/by-hand\n"
    commit_files(site.folder / "remote.git", "main", {"NOTES.md": b"x\n"}, message, PERSON)
    assert ledger(site, "verify").status == 0
    ledger(site, "rebuild")
    assert "articles/by-hand" in known(site)


def test_a_history_that_was_rewritten_is_said(site: Fired) -> None:
    ledger(site, "rebuild")
    Git(site.folder / "remote.git").run("update-ref", "refs/heads/main", str(site.report["base"]))
    done = ledger(site, "verify")
    assert done.status == 1 and done.out.startswith("the history no longer holds ")


def test_rejected_ideas_are_read_from_the_journal_again(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = fired("not-converged", tmp_path_factory).copied(tmp_path / "site")
    (site.state / "ledger.db").unlink()
    ledger(site, "rebuild")
    entries = ledger(site, "list", "--json").object["entries"]
    assert isinstance(entries, list)
    assert [one["key"] for one in entries if one["state"] == "rejected"] == ["articles/the-horn-on-gannet-rock"]


def test_a_remote_that_is_away_leaves_the_ledger_as_it_was(site: Fired) -> None:
    ledger(site, "rebuild")
    (site.folder / "remote.git").rename(site.folder / "moved.git")
    for command in ("verify", "rebuild"):
        complaint(ledger(site, command), 69)
    assert len(known(site)) == 3
