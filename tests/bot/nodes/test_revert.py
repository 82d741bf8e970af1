"""revert: the workspace goes, the record stays."""

from __future__ import annotations

from pathlib import Path

from bot.model import Reject, Reverted
from bot.nodes.revert import Revert
from tests.support.values import CLAIM, TREE, objection
from tests.support.workshop import workshop

REJECT = Reject("guards", "that exists already", (objection("guards"),), TREE, CLAIM)


def test_a_rejection_becomes_an_outcome_that_says_all_of_it(tmp_path: Path) -> None:
    shop = workshop(tmp_path)
    assert Revert(shop.workspace.discard).run(REJECT) == Reverted(
        "guards", "that exists already", REJECT.objections, TREE, CLAIM
    )


def test_the_workspace_is_removed_and_the_snapshots_stay(tmp_path: Path) -> None:
    shop = workshop(tmp_path)
    shop.freezer.keep("c1", shop.here.base_tree)
    (shop.root / "locked").mkdir(mode=0o000)
    Revert(shop.workspace.discard).run(REJECT)
    assert not shop.root.exists()
    assert list(shop.here.store.kept("snapshots").values()) == [shop.here.base_tree]


def test_it_may_run_again_after_a_crash(tmp_path: Path) -> None:
    shop = workshop(tmp_path)
    node = Revert(shop.workspace.discard)
    assert node.run(REJECT) == node.run(REJECT)
