"""What was judged and is kept: found by name, shown, and had back without touching the branch."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from bot.errors import CommandFailed, ConfigError
from bot.store.rescue import Kept, find, kept, patch, restore_branch, restore_folder
from tests.support.repository import BOT, Scene, branch_of, git, scene, with_links

CYCLE, OTHER = "20261130T040000Z-7f3a", "20261130T080000Z-0000"


@dataclass(frozen=True)
class Held:
    """A scene whose store keeps a commit of one cycle and trees of two."""

    here: Scene
    tree: str
    commit: str


@pytest.fixture
def held(tmp_path: Path) -> Held:
    here = scene(tmp_path)
    tree = here.store.write_tree(here.base_tree, {"pages/new.html": ("100644", b"<p>new</p>\n")})
    commit = here.store.commit(tree, here.base, "Add it\n", BOT)
    here.store.keep(f"rescue/{CYCLE}", commit)
    here.store.keep(f"snapshots/{CYCLE}/{tree[:12]}", tree)
    here.store.keep(f"snapshots/{OTHER}/{tree[:12]}", tree)
    return Held(here, tree, commit)


def test_all_that_is_kept_is_listed_commits_first(held: Held) -> None:
    assert [(one.ref.split("/")[0], one.cycle, one.oid) for one in kept(held.here.store)] == [
        ("rescue", CYCLE, held.commit), ("snapshots", CYCLE, held.tree), ("snapshots", OTHER, held.tree),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "ref"),
    [
        (CYCLE, f"rescue/{CYCLE}"),
        (f"refs/plusone/rescue/{CYCLE}", f"rescue/{CYCLE}"),
        (OTHER, f"snapshots/{OTHER}/"),
    ],
)
def test_it_is_found_by_ref_or_by_cycle(held: Held, name: str, ref: str) -> None:
    assert find(held.here.store, name).ref.startswith(ref)


def test_a_name_that_says_too_little_or_nothing_is_refused(held: Held) -> None:
    held.here.store.keep(f"snapshots/{OTHER}/other", held.here.base_tree)
    with pytest.raises(ConfigError, match="2 trees are kept of it, name one"):
        find(held.here.store, OTHER)
    with pytest.raises(ConfigError, match="nothing of that name"):
        find(held.here.store, "--upload-pack=x")


def test_commit_and_tree_show_what_they_change(held: Held) -> None:
    commit, tree = find(held.here.store, CYCLE), find(held.here.store, OTHER)
    for text in (patch(held.here.store, commit, None), patch(held.here.store, tree, held.here.base)):
        assert "+<p>new</p>" in text and text.count("diff --git") == 1
    with pytest.raises(ConfigError, match="--to FOLDER"):
        patch(held.here.store, tree, None)


def test_a_folder_gets_the_files_and_no_git(held: Held, tmp_path: Path) -> None:
    target = tmp_path / "back"
    restore_folder(held.here.store, find(held.here.store, CYCLE), target)
    assert (target / "pages/new.html").read_text() == "<p>new</p>\n" and (target / "app.py").exists()
    assert not (target / ".git").exists()


def test_no_link_of_the_tree_is_ever_made(held: Held, tmp_path: Path) -> None:
    held.here.store.keep("rescue/links", with_links(held.here))
    restore_folder(held.here.store, Kept("snapshots/links/x", with_links(held.here)), tmp_path / "back")
    assert (tmp_path / "back/link").read_bytes() == b"" and not (tmp_path / "back/link").is_symlink()


def test_a_folder_that_holds_something_is_left_alone(held: Held, tmp_path: Path) -> None:
    for target in (tmp_path / "full", tmp_path / "full/file"):
        (tmp_path / "full").mkdir(exist_ok=True)
        (tmp_path / "full/file").write_text("mine")
        with pytest.raises(ConfigError, match="not an empty folder"):
            restore_folder(held.here.store, find(held.here.store, CYCLE), target)
    assert (tmp_path / "full/file").read_text() == "mine"


def test_a_new_branch_gets_the_very_commit(held: Held) -> None:
    one = find(held.here.store, CYCLE)
    assert restore_branch(held.here.store, one, None, "look", BOT) == held.commit == branch_of(held.here.bare, "look")
    assert branch_of(held.here.bare) == held.here.base


def test_a_tree_becomes_a_commit_on_its_base(held: Held) -> None:
    commit = restore_branch(held.here.store, find(held.here.store, OTHER), held.here.base, "look/at-it", BOT)
    assert git(held.here.bare, "rev-parse", "look/at-it^{tree}", "look/at-it^") == f"{held.tree}\n{held.here.base}"
    assert branch_of(held.here.bare, "look/at-it") == commit


@pytest.mark.parametrize("branch", ["main", "--force", "a b", "x.lock", "", "../main"])
def test_a_branch_that_exists_or_has_no_name_is_never_written(held: Held, branch: str) -> None:
    with pytest.raises((ConfigError, CommandFailed)):
        restore_branch(held.here.store, find(held.here.store, CYCLE), None, branch, BOT)
    assert branch_of(held.here.bare) == held.here.base
