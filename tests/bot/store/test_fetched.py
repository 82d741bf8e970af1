"""A tip that was looked at is known again without git; whatever else lies there is looked at anew."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store.fetched import Fetched, fetched
from bot.store.git import Git
from bot.store.remote import Remote
from bot.store.repository import Store
from tests.support.repository import PERSON, Scene, git, push_by_hand, scene

NOTE = "plusone-tip"


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def asked(here: Scene) -> Fetched | None:
    return fetched(Git(here.store.folder), here.store.folder, "main", here.store.remote.url)


def known(here: Scene) -> Fetched | None:
    """What is known without asking git: this one finds no repository."""
    return fetched(Git(here.store.folder / "nothing"), here.store.folder, "main", here.store.remote.url)


def test_the_same_tip_is_looked_at_once(here: Scene) -> None:
    here.store.fetch("main")
    assert known(here) == Fetched(here.base, here.base_tree, datetime.fromisoformat(PERSON.when)) == asked(here)


def test_the_tip_that_was_fetched_last_is_known_while_the_remote_is_away(here: Scene) -> None:
    assert Store.open(here.bare.with_name("new"), here.store.remote).known("main") is None
    here.store.fetch("main")
    here.bare.rename(here.bare.with_name("away"))
    later = Store.open(here.store.folder, here.store.remote)
    assert later.known("main") == here.base
    assert later.committed_at(here.base) == datetime.fromisoformat(PERSON.when)


def test_what_another_branch_or_another_remote_brought_is_not_known(here: Scene) -> None:
    here.store.fetch("main")
    git(here.bare, "branch", "spring", here.base)
    assert here.store.known("spring") is None
    assert Store.open(here.store.folder, Remote(f"{here.bare}/")).known("main") is None
    here.store.fetch("spring")
    assert (here.store.known("spring"), here.store.known("main")) == (here.base, None)


def test_a_moved_tip_is_looked_at_anew_and_the_fetch_still_asks_the_remote(here: Scene) -> None:
    here.store.fetch("main")
    theirs = push_by_hand(here.bare)
    assert here.store.fetch("main") == theirs
    found = known(here)
    assert found is not None and (found.oid, found.tree) == (theirs, git(here.bare, "rev-parse", "main^{tree}"))


@pytest.mark.parametrize(
    "note",
    ["", "x", "{0} {1}\n", "{0} {1} 5\n", "{0} {1} 5 {2}", "{0} {1} 5 {2}\n{0}", "{1} {1} 5 {2}\n", "\x00\xff", None],
)
def test_a_note_that_is_damaged_or_gone_costs_a_look(note: str | None, here: Scene) -> None:
    here.store.fetch("main")
    path, whole = here.store.folder / NOTE, (here.store.folder / NOTE).read_text()
    path.unlink() if note is None else path.write_text(
        note.format(here.base, here.base_tree, whole.split()[-1]), "latin-1"
    )
    assert known(here) is None
    found = asked(here)
    assert found is not None and found.tree == here.base_tree and path.read_text() == whole


def test_a_note_of_another_commit_is_never_believed(here: Scene) -> None:
    here.store.fetch("main")
    whence = (here.store.folder / NOTE).read_text().split()[-1]
    (here.store.folder / NOTE).write_text(f"{'a' * 40} {'b' * 40} 5 {whence}\n")
    found = asked(here)
    assert found is not None and (found.oid, found.tree) == (here.base, here.base_tree)


def test_where_nothing_was_fetched_nothing_is_known(here: Scene) -> None:
    here.store.fetch("main")
    (here.store.folder / "FETCH_HEAD").write_text("")
    assert asked(here) is None
    (here.store.folder / "FETCH_HEAD").unlink()
    assert asked(here) is None


def test_a_store_that_takes_no_note_works_on(here: Scene) -> None:
    here.store.fetch("main")
    (here.store.folder / NOTE).unlink()
    (here.store.folder / NOTE).mkdir()
    assert here.store.fetch("main") == here.base and known(here) is None


@pytest.mark.parametrize(("date", "year"), [("@999999999999 +0000", 9999), ("@1767323045 +0000", 2026)])
def test_any_date_that_git_takes_is_a_date(date: str, year: int, here: Scene) -> None:
    person = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    names = {f"GIT_{who}_{what}": "x" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    bare = Git(here.bare, {**person, **names})
    commit = bare.run("commit-tree", here.base_tree, "-p", here.base, "-m", "x").decode().strip()
    bare.run("update-ref", "refs/heads/main", commit)
    store = Store.open(here.store.folder, here.store.remote)
    assert store.fetch("main") == commit
    assert store.committed_at(commit).year == year and store.committed_at(commit).tzinfo == UTC
