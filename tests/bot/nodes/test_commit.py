"""commit: over a real bare remote, what is pushed, what is kept, and what is left alone."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bot.errors import CommandFailed
from bot.model import Approve, Committed, Ready, Reverted, Snapshot, Waiting
from bot.nodes.commit import Commit
from bot.store.publisher import StorePublisher
from tests.support import values
from tests.support.repository import Scene, branch_of, git, push_by_hand, scene


@dataclass
class Stage:
    """A judged change of a scene, and the node that is to commit it."""

    here: Scene
    ready: Ready
    approve: Approve
    followed: list[str] = field(default_factory=list)

    def run(self, *, dry_run: bool = False, ask: bool = False) -> Committed | Waiting | Reverted:
        ready = replace(self.ready, dry_run=dry_run)
        return Commit(StorePublisher(self.here.store, self._follow), ask).run(ready, self.approve)

    @property
    def rescued(self) -> list[str]:
        return list(self.here.store.kept(f"rescue/{self.ready.cycle}").values())

    def _follow(self, commit: str, ready: Ready) -> str:
        self.followed.append(commit)
        return f"the checkout is at {commit[:6]}"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    here = scene(tmp_path)
    tree = here.store.write_tree(here.base_tree, {"pages/one.html": ("100644", b"<p>new</p>\n")})
    snapshot = Snapshot(here.base, here.base_tree, tree, values.CLAIM, ())
    ready = replace(values.ready(), base=here.base, base_tree=here.base_tree)
    return Stage(here, ready, Approve(snapshot, ("articles/harbour-lights",), ()))


def test_the_judged_tree_is_on_the_branch_one_commit_after_base(stage: Stage) -> None:
    outcome = stage.run()
    assert isinstance(outcome, Committed)
    assert branch_of(stage.here.bare) == outcome.commit
    assert git(stage.here.bare, "rev-parse", "main^{tree}", "main^") == f"{stage.approve.tree}\n{stage.here.base}"
    assert (outcome.tree, outcome.adds) == (stage.approve.tree, stage.approve.adds)
    assert outcome.reason == "added article harbour-lights"


def test_the_live_checkout_follows_and_the_outcome_says_so(stage: Stage) -> None:
    outcome = stage.run()
    assert isinstance(outcome, Committed)
    assert stage.followed == [outcome.commit]
    assert outcome.checkout == f"the checkout is at {outcome.commit[:6]}"


def test_a_person_who_was_quicker_wins_and_the_judged_commit_is_kept(stage: Stage) -> None:
    theirs = push_by_hand(stage.here.bare)
    outcome = stage.run()
    assert isinstance(outcome, Reverted)
    assert branch_of(stage.here.bare) == theirs
    assert (outcome.stage, outcome.tree, outcome.claim) == ("commit", stage.approve.tree, values.CLAIM)
    assert "lost the race" in outcome.reason
    assert f"refs/plusone/rescue/{stage.ready.cycle}" in outcome.reason
    assert [stage.here.store.tree_of(oid) for oid in stage.rescued] == [stage.approve.tree]
    assert stage.followed == []


def test_a_dry_run_keeps_the_commit_it_would_make_and_touches_nothing_else(stage: Stage) -> None:
    outcome = stage.run(dry_run=True)
    assert isinstance(outcome, Reverted)
    assert branch_of(stage.here.bare) == stage.here.base
    assert outcome.reason.startswith(f"dry run: would commit {stage.rescued[0][:10]}, article harbour-lights")
    assert stage.followed == []


def test_a_dry_run_would_make_the_very_commit_that_a_run_makes(stage: Stage) -> None:
    stage.run(dry_run=True)
    kept = stage.rescued
    outcome = stage.run()
    assert isinstance(outcome, Committed)
    assert kept == [outcome.commit]
    assert stage.rescued == [], "what is on the branch needs no rescue"


def test_a_commit_that_was_pushed_before_a_crash_counts_as_pushed_and_is_there_once(stage: Stage) -> None:
    first = stage.run()
    assert stage.run() == first
    assert git(stage.here.bare, "rev-list", "--count", "main") == "2"


def test_a_commit_that_others_have_built_on_since_counts_as_pushed(stage: Stage) -> None:
    first = stage.run()
    theirs = push_by_hand(stage.here.bare)
    assert stage.run() == first
    assert branch_of(stage.here.bare) == theirs


def test_a_remote_that_refuses_is_broken_and_no_lost_race(stage: Stage) -> None:
    hook = stage.here.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'this branch is protected' >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(CommandFailed, match="protected"):
        stage.run()
    assert branch_of(stage.here.bare) == stage.here.base


def test_where_a_person_is_to_approve_the_judged_commit_is_held_and_nothing_is_pushed(stage: Stage) -> None:
    outcome = stage.run(ask=True)
    assert isinstance(outcome, Waiting)
    assert stage.here.store.kept("waiting") == {f"waiting/{stage.ready.cycle}": outcome.commit}
    assert git(stage.here.store.folder, "rev-parse", f"{outcome.commit}^{{tree}}") == outcome.tree == stage.approve.tree
    assert branch_of(stage.here.bare) == stage.here.base
    assert (stage.rescued, stage.followed) == ([], [])
    assert stage.run(ask=True) == outcome  # after a crash: the same


def test_a_dry_run_waits_for_nobody(stage: Stage) -> None:
    assert isinstance(stage.run(ask=True, dry_run=True), Reverted)
    assert stage.here.store.kept("waiting") == {}


def test_what_is_pushed_at_once_is_the_very_commit_that_would_have_waited(stage: Stage) -> None:
    waiting, pushed = stage.run(ask=True), stage.run()
    assert isinstance(waiting, Waiting) and isinstance(pushed, Committed)
    assert waiting.commit == pushed.commit
