"""The freezer: what the bot itself adds to a snapshot, and how it is taken out again for a fixer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import Change, Snapshot
from tests.support.repository import git
from tests.support.values import CLAIM
from tests.support.workshop import MO, PAGE, PO, Workshop, catalogue, compiled, workshop

MORE = catalogue(Home="首页", Tides="潮汐")


@pytest.fixture
def shop(tmp_path: Path) -> Workshop:
    return workshop(tmp_path)


def test_a_tracked_catalogue_is_compiled_by_the_bot_and_marked_as_its_own(shop: Workshop) -> None:
    shop.work(PO, MORE)
    snapshot = shop.frozen()
    assert [(one.path, one.status, one.by) for one in snapshot.changes] == [
        (MO, "changed", "bot"),
        (PO, "changed", "agent"),
    ]
    assert snapshot.paths == (PO,)
    assert shop.content(snapshot.tree, MO) == compiled(MORE)


def test_a_catalogue_that_the_agent_left_alone_is_not_compiled(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    assert shop.frozen().changes == (Change(PAGE, "changed", size=11),)


def test_a_site_that_tracks_no_compiled_catalogue_gets_none(tmp_path: Path) -> None:
    shop = workshop(tmp_path, tracked=False)
    shop.work(PO, MORE)
    snapshot = shop.frozen()
    assert snapshot.paths == (PO,)
    assert MO not in shop.here.store.entries(snapshot.tree)


def test_a_catalogue_that_cannot_be_compiled_is_left_for_the_gate(shop: Workshop) -> None:
    shop.work(PO, "<<<<<<< ours\n" + MORE)
    assert [one.path for one in shop.frozen().changes] == [PO]


def test_the_agents_tree_has_the_bots_files_as_base_has_them(shop: Workshop) -> None:
    shop.work(PO, MORE)
    shop.work(PAGE, "<p>new</p>\n")
    snapshot = shop.frozen()
    agents = shop.freezer.agents_tree(snapshot)
    assert shop.freezer.changed(snapshot.tree, agents) == (MO,)
    assert shop.freezer.changed(snapshot.base_tree, agents) == (PO, PAGE)


def test_a_snapshot_without_files_of_the_bot_is_the_agents_tree_itself(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    snapshot = shop.frozen()
    assert shop.freezer.agents_tree(snapshot) == snapshot.tree


@pytest.mark.parametrize("whole", [True, False])
def test_a_restored_snapshot_is_frozen_to_the_same_tree(shop: Workshop, whole: bool) -> None:
    shop.work(PO, MORE)
    first = shop.frozen()
    shop.workspace.restore(first.tree if whole else shop.freezer.agents_tree(first))
    assert shop.frozen() == first


def test_a_kept_tree_outlives_a_clean_up_of_the_store(shop: Workshop) -> None:
    shop.work(PAGE, "<p>new</p>\n")
    tree = shop.frozen().tree
    shop.freezer.keep("20261130T040000Z-7f3a", tree)
    git(shop.here.store.folder, "gc", "--prune=now", "--quiet")
    assert shop.here.store.kept("snapshots/20261130T040000Z-7f3a") == {
        f"snapshots/20261130T040000Z-7f3a/{tree[:12]}": tree
    }
    assert shop.content(tree, PAGE) == b"<p>new</p>\n"


def test_what_may_not_become_a_snapshot_is_told_in_objections(shop: Workshop) -> None:
    shop.work("pyproject.toml", "[tool.ruff]\nselect = []\n")
    (shop.root / "pages/link.html").symlink_to("/etc/passwd")
    found = shop.freezer.freeze(shop.here.base, shop.here.base_tree, CLAIM)
    assert not isinstance(found, Snapshot)
    assert [(one.code, one.where) for one in found] == [
        ("protected", "pyproject.toml"),
        ("symlink", "pages/link.html"),
    ]


def test_a_tracked_catalogue_is_the_bots_to_write_wherever_it_lies(tmp_path: Path) -> None:
    shop = workshop(tmp_path, allow=(PO,))
    shop.work(PO, MORE)
    assert [one.by for one in shop.frozen().changes] == ["bot", "agent"]
