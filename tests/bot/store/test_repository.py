"""The store: fetching, reading, writing, pushing exactly once, and what is held."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.errors import CommandFailed, ConfigError, SnapshotFailed, Unreachable
from bot.store.git import Identity, found
from bot.store.remote import Remote
from bot.store.repository import Store
from tests.support.repository import BOT, PERSON, SITE, Scene, branch_of, git, push_by_hand, scene, write


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def commit(here: Scene, text: str = "new\n") -> str:
    tree = here.store.write_tree(here.base_tree, {"new.txt": ("100644", text.encode())})
    return here.store.commit(tree, here.base, "Add one thing\n", BOT)


def test_a_fetch_returns_the_tip_and_brings_its_tree(here: Scene) -> None:
    assert here.base == branch_of(here.bare)
    assert set(here.store.entries(here.base_tree)) == set(SITE)
    assert here.store.fetch("main") == here.base
    assert here.store.tip("main") == here.base


def test_a_branch_that_does_not_exist_is_refused_with_those_that_do(here: Scene) -> None:
    with pytest.raises(ConfigError, match="no branch trunk; it has main"):
        here.store.fetch("trunk")
    assert here.store.tip("trunk") is None


def test_a_name_that_no_branch_can_have_is_refused(here: Scene) -> None:
    for name in ("", "a..b", "x y", "-x/", "a.lock"):
        with pytest.raises(ConfigError, match="not a name"):
            here.store.fetch(name)


def test_an_empty_repository_is_refused_by_name(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "empty.git")
    with pytest.raises(ConfigError, match="no branch yet"):
        Store.open(tmp_path / "store.git", Remote(str(tmp_path / "empty.git"))).fetch("main")


def test_a_path_without_a_repository_is_unreachable_or_wrong(tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="no repository at this path"):
        Store.open(tmp_path / "store.git", Remote(str(tmp_path / "gone"))).fetch("main")
    (tmp_path / "plain").mkdir()
    with pytest.raises(ConfigError, match="does not appear to be a git repository"):
        Store.open(tmp_path / "store.git", Remote(str(tmp_path / "plain"))).fetch("main")


@pytest.mark.parametrize("url", ["https://127.0.0.1:1/x.git", "ssh://git@127.0.0.1:1/x.git", "git@127.0.0.1:x.git"])
def test_a_host_that_does_not_answer_is_unreachable(tmp_path: Path, url: str) -> None:
    with pytest.raises(Unreachable):
        Store.open(tmp_path / "store.git", Remote(url)).fetch("main")


def test_a_shallow_remote_is_refused_with_the_command_that_mends_it(here: Scene, tmp_path: Path) -> None:
    push_by_hand(here.bare)
    git(tmp_path, "clone", "--quiet", "--bare", "--depth=1", f"file://{here.bare}", "shallow.git")
    store = Store.open(tmp_path / "other.git", Remote(str(tmp_path / "shallow.git")))
    with pytest.raises(ConfigError, match="shallow"):
        store.fetch("main")


def test_a_remote_that_became_shallow_is_refused_though_it_was_fetched_before(here: Scene, tmp_path: Path) -> None:
    push_by_hand(here.bare)
    git(tmp_path, "clone", "--quiet", "--bare", "--depth=1", f"file://{here.bare}", "shallow.git")
    here.bare.rename(tmp_path / "whole.git")
    (tmp_path / "shallow.git").rename(here.bare)
    with pytest.raises(ConfigError, match="shallow"):
        here.store.fetch("main")


def test_what_is_known_of_a_fetched_tip_is_what_git_says(here: Scene) -> None:
    tip = here.store.fetch("main")
    again = Store.open(here.store.folder, here.store.remote)
    assert again.tree_of(tip) == here.store.tree_of(tip) == git(here.bare, "rev-parse", "main^{tree}")
    assert again.committed_at(tip) == here.store.committed_at(tip) == datetime.fromisoformat(PERSON.when)


def test_a_folder_that_is_not_ours_is_refused(tmp_path: Path) -> None:
    git(tmp_path, "init", "--quiet", "--bare", "theirs.git")
    with pytest.raises(ConfigError, match="not a store of ours"):
        Store.open(tmp_path / "theirs.git", Remote("/x"))


def test_a_store_is_opened_again_and_is_closed_to_others(here: Scene) -> None:
    again = Store.open(here.store.folder, here.store.remote)
    assert again.tree_of(here.base) == here.base_tree
    assert here.store.folder.stat().st_mode & 0o077 == 0
    assert not (here.store.folder / "hooks").exists()


def test_many_blobs_are_read_at_once(here: Scene) -> None:
    entries = here.store.entries(here.base_tree)
    blobs = here.store.blobs(entry.oid for entry in entries.values())
    assert {path: blobs[entry.oid].decode() for path, entry in entries.items()} == SITE
    assert here.store.blob(entries["app.py"].oid) == SITE["app.py"].encode()
    assert here.store.blobs(()) == {}
    with pytest.raises(CommandFailed, match="no blob"):
        here.store.blobs(("0" * 40,))


def test_a_written_tree_differs_in_exactly_what_was_set(here: Scene) -> None:
    files = {"app.py": ("100755", b"x"), "pages/one.html": None, "pages/\u00fc\n.html": ("100644", b"\r\n\0")}
    tree = here.store.write_tree(here.base_tree, files)
    assert set(here.store.changed(here.base_tree, tree)) == set(files)
    entries = here.store.entries(tree)
    assert entries["app.py"].mode == "100755"
    assert here.store.blob(entries["pages/\u00fc\n.html"].oid) == b"\r\n\0"


def test_a_folder_may_become_a_file_and_a_file_a_folder(here: Scene) -> None:
    files = {"pages/one.html": None, "pages/two words.html": None, "pages": ("100644", b"x"), "app.py": None}
    tree = here.store.write_tree(here.base_tree, {**files, "app.py/inner.py": ("100644", b"y")})
    assert {"pages", "app.py/inner.py"} <= set(here.store.entries(tree))


@pytest.mark.parametrize("path", [".git/config", "a/../b", "a/.GIT/x", "git~1", "/abs", "a//b", ".g\u200cit/x"])
def test_a_path_that_git_drops_without_a_word_fails_the_snapshot(here: Scene, path: str) -> None:
    with pytest.raises((SnapshotFailed, CommandFailed)):
        here.store.write_tree(here.base_tree, {path: ("100644", b"x"), "fine.txt": ("100644", b"x")})


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text("ab \n\"'*\u00e9", min_size=1, max_size=6), st.binary(max_size=40), max_size=5))
def test_whatever_is_written_is_read_back(here: Scene, files: dict[str, bytes]) -> None:
    tree = here.store.write_tree(here.base_tree, {f"x/{name}": ("100644", text) for name, text in files.items()})
    entries = here.store.entries(tree)
    assert {name: here.store.blob(entries[f"x/{name}"].oid) for name in files} == files


def test_a_commit_is_a_function_of_its_arguments(here: Scene) -> None:
    one, two = commit(here), commit(here)
    assert one == two
    assert here.store.committed_at(one) == datetime(2026, 11, 30, 4, tzinfo=UTC)
    later = Identity(BOT.name, BOT.email, "2026-11-30T04:00:01Z")
    assert here.store.commit(here.store.tree_of(one), here.base, "Add one thing\n", later) != one


def test_the_history_is_read_oldest_first_with_whole_messages(here: Scene) -> None:
    message = "Title \u00e9\n\nBody\n\nPlusone-Adds: articles/x\n"
    top = here.store.commit(here.base_tree, commit(here), message, BOT)
    logged = list(here.store.log(top))
    assert [one.oid for one in logged] == [here.base, commit(here), top]
    assert logged[-1].message == message
    assert logged[0].when == "2026-01-02T03:04:05+00:00" or logged[0].when == "2026-01-02T03:04:05Z"


def test_a_patch_shows_both_sides_and_survives_binary_and_odd_names(here: Scene) -> None:
    tree = here.store.write_tree(here.base_tree, {"app.py": ("100644", b"print(2)\n"), "b\udcff": ("100644", b"\0\1")})
    patch = here.store.patch(here.base_tree, tree)
    assert "-print('site')\n+print(2)\n" in patch
    assert "Binary files" in patch


def test_a_push_moves_the_branch_and_a_second_one_changes_nothing(here: Scene) -> None:
    oid = commit(here)
    assert here.store.push(oid, "main", here.base) == "pushed"
    assert branch_of(here.bare) == oid
    assert here.store.push(oid, "main", here.base) == "pushed"


def test_a_push_that_others_have_built_upon_counts_as_pushed(here: Scene) -> None:
    oid = commit(here)
    here.store.push(oid, "main", here.base)
    theirs = push_by_hand(here.bare)
    assert here.store.push(oid, "main", here.base) == "pushed"
    assert branch_of(here.bare) == theirs


def test_a_remote_that_moved_forward_keeps_the_other_commit(here: Scene) -> None:
    theirs = push_by_hand(here.bare)
    assert here.store.push(commit(here), "main", here.base) == "lost"
    assert branch_of(here.bare) == theirs


def test_a_remote_that_was_rewound_stays_rewound(here: Scene) -> None:
    push_by_hand(here.bare)
    base = here.store.fetch("main")
    oid = here.store.commit(here.base_tree, base, "On top\n", BOT)
    git(here.bare, "update-ref", "refs/heads/main", here.base)
    assert here.store.push(oid, "main", base) == "lost"
    assert branch_of(here.bare) == here.base


def test_a_branch_that_was_deleted_is_not_made_again(here: Scene) -> None:
    git(here.bare, "update-ref", "-d", "refs/heads/main")
    assert here.store.push(commit(here), "main", here.base) == "lost"
    assert git(here.bare, "for-each-ref") == ""


def test_the_lease_holds_when_the_branch_moves_between_asking_and_pushing(here: Scene) -> None:
    moved = commit(here, "theirs\n")
    git(here.store.folder, "push", "--quiet", str(here.bare), f"{moved}:refs/heads/aside")
    hook = here.bare / "hooks/pre-receive"
    hook.parent.mkdir()
    hook.write_text(f"#!/bin/sh\nenv -i git --git-dir=. update-ref refs/heads/main {moved}\n")
    hook.chmod(0o755)
    assert here.store.push(commit(here), "main", here.base) == "lost"
    assert branch_of(here.bare) == moved


def test_a_commit_that_does_not_sit_on_the_base_is_never_pushed(here: Scene) -> None:
    orphan = here.store.commit(here.base_tree, commit(here), "Two steps\n", BOT)
    with pytest.raises(SnapshotFailed, match="does not sit on"):
        here.store.push(orphan, "main", here.base)
    assert branch_of(here.bare) == here.base


def test_a_push_that_the_remote_forbids_says_the_remotes_words(here: Scene) -> None:
    hook = here.bare / "hooks/update"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\nprintf 'main is \\033[31mprotected\\n' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(CommandFailed, match=r"hook declined.*main is .*protected") as caught:
        here.store.push(commit(here), "main", here.base)
    assert "\x1b" not in str(caught.value)
    assert branch_of(here.bare) == here.base


def test_commits_and_trees_are_held_by_name_until_they_are_dropped(here: Scene) -> None:
    here.store.keep("rescue/one", commit(here))
    here.store.keep("rescue/two", here.base_tree)
    here.store.keep("other", here.base)
    assert here.store.kept("rescue/") == {"rescue/one": commit(here), "rescue/two": here.base_tree}
    here.store.drop("rescue/one")
    here.store.drop("rescue/never")
    assert set(here.store.kept("")) == {"rescue/two", "other"}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_a_remote_of_another_owner_is_used_as_that_owner(tmp_path: Path) -> None:
    write(tmp_path / "first", SITE)
    bare = tmp_path / "theirs.git"
    found(bare, tmp_path / "first", "First", PERSON, "main")
    for path in (bare, *bare.rglob("*")):
        os.chown(path, 61501, 61501)
    for path in (tmp_path, *tmp_path.parents[:-2]):
        path.chmod(0o755)
    store = Store.open(tmp_path / "store.git", Remote(str(bare)))
    here = Scene(bare, store, store.fetch("main"))
    assert store.push(commit(here), "main", here.base) == "pushed"
    assert {path.stat().st_uid for path in bare.rglob("*")} == {61501}
