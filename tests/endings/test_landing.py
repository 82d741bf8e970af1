"""A cycle that breaks off between its push and its record: what history says is what the record and the ledger say."""

from __future__ import annotations

import pytest

from bot.journal import Run
from ledger.store import LedgerStore
from tests.endings.conftest import Stager
from tests.endings.test_waiting import say
from tests.support.firing import Place
from tests.support.killing import Moment, killed, stopped
from tests.support.repository import git

AFTER_THE_PUSH = Moment("lost", "commit")
OTHER_GRAPH = ("repairs = 3", "repairs = 2")


def agrees(here: Place, base: str) -> Run:
    """The oldest run is the one commit on the base, in the journal, in the ledger, and in the checkout."""
    with here.journal() as journal:
        run = journal.runs(9)[-1]
    assert (run.outcome, run.stage, run.exit_code, run.stopped_by) == ("committed", "commit", 0, ""), run.reason
    assert run.reason == "added article the-horn-on-gannet-rock"
    commit, tree, parent = git(here.made.remote, "log", "-1", "--format=%H %T %P", str(run.commit)).split()
    assert (run.commit, run.tree, base) == (commit, tree, parent)
    assert git(here.made.checkout, "merge-base", "--is-ancestor", commit, "HEAD") == ""
    assert git(here.state.store, "for-each-ref", f"refs/plusone/rescue/{run.cycle}") == ""
    ledger = LedgerStore(here.state.ledger)
    assert ledger.rejected() == () and [one.cycle for one in ledger.list()][:1] == [run.cycle]
    assert say(here, "ledger verify").status == 0
    return run


@pytest.mark.parametrize("moment", [Moment("pushed"), AFTER_THE_PUSH, Moment("kept", "commit")], ids=str)
def test_a_stop_after_the_push_ends_as_committed(moment: Moment, staged: Stager) -> None:
    here = staged()
    base = here.tip
    stopped(here, "committed", moment)
    run = agrees(here, base)
    assert here.tip == run.commit and run.ended
    with here.journal() as journal:
        assert all(step.ended for step in journal.steps(run.cycle))
    here.clean()


def test_a_stop_before_the_push_ends_as_failed(staged: Stager) -> None:
    here = staged()
    base = here.tip
    stopped(here, "committed", Moment("start", "commit"))
    with here.journal() as journal:
        (run,) = journal.runs(9)
    assert (run.outcome, run.exit_code, here.tip) == ("failed", 143, base)
    here.goes_on("committed-feature")


def test_another_program_finds_the_commit_of_the_run_that_it_cannot_finish(staged: Stager) -> None:
    here = staged()
    base = here.tip
    killed(here, "committed", AFTER_THE_PUSH)
    here.edit(OTHER_GRAPH)
    report = here.fire("committed-feature")
    assert report["base"] == agrees(here, base).commit and report["outcome"] == "committed"


def test_a_remote_that_is_away_meanwhile_is_asked_by_the_next_firing(staged: Stager) -> None:
    here = staged()
    base = here.tip
    killed(here, "committed", AFTER_THE_PUSH)
    here.edit(OTHER_GRAPH)
    away = here.made.remote.rename(here.folder / "away.git")
    assert here.fire("committed-feature")["exit_code"] == 69
    with here.journal() as journal:
        assert [run.outcome for run in journal.runs(9)] == ["failed", "failed"]
    away.rename(here.made.remote)
    assert here.fire("committed-feature", dry_run=True)["outcome"] == "reverted"
    with here.journal() as journal:
        assert journal.runs(9)[-1].outcome == "failed", "a dry run settles nothing"
    here.fire("committed-feature")
    agrees(here, base)


def test_a_push_that_was_refused_stays_failed_and_is_asked_after_once(staged: Stager) -> None:
    here = staged()
    hook = here.made.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    assert here.fire("committed")["outcome"] == "failed"
    hook.unlink()
    here.goes_on("committed-feature")
    with here.journal() as journal:
        first = journal.runs(9)[-1]
        assert (first.outcome, journal.note("asked-whether-landed")) == ("failed", first.cycle)
