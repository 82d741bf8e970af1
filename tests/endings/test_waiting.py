"""A cycle that waits for a person: approved, rejected, too late, asked twice, and what the next firing makes of it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Literal

import pytest
import time_machine

from bot.journal import Journal
from bot.machine.lock import held
from bot.operation.consent import Consent, give, given
from bot.telling.report import Report
from ledger.store import LedgerStore
from tests.endings.conftest import Stager
from tests.support.commands import Done, plusone
from tests.support.firing import Place
from tests.support.repository import git

ASK = ('quiet_period = "0s"', 'quiet_period = "0s"\napprove = "ask"\napprove_expires = "7d"')
LATE = timedelta(days=8)


@pytest.fixture
def here(staged: Stager) -> Place:
    return staged(ASK)


@pytest.fixture
def waiting(here: Place) -> Report:
    """A cycle has been judged and waits."""
    with here.unmoved():
        return here.fire("committed")


def say(here: Place, command: str, *more: str) -> Done:
    return plusone(*command.split(), "--config", here.made.config, "--state", here.environment.state, *more)


def kept(here: Place, where: str) -> list[str]:
    return git(here.state.store, "for-each-ref", "--format=%(objectname)", f"refs/plusone/{where}").split()


def ask(journal: Journal, cycle: str, word: Literal["approve", "reject"] = "approve") -> None:
    give(journal, journal.run(cycle), Consent(word, "the page", "2026-11-30T18:00:00+00:00", "good"))


def test_the_judged_commit_waits_under_a_ref_and_nothing_leaves_the_machine(here: Place, waiting: Report) -> None:
    assert (waiting["outcome"], waiting["stage"], waiting["exit_code"]) == ("waiting", "commit", 0)
    assert kept(here, "waiting") == [waiting["commit"]] and kept(here, "rescue") == []
    assert "plusone approve" in str(waiting["reason"])
    assert f"{waiting['cycle']} waits until " in say(here, "status").out
    listed = say(here, "status", "--json").object["waiting"]
    assert isinstance(listed, list)
    assert [(one["cycle"], one["consent"]) for one in listed] == [(waiting["cycle"], None)]


def test_approve_pushes_exactly_that_commit_and_says_who_wanted_it(here: Place, waiting: Report) -> None:
    base = here.tip
    done = say(here, f"approve {waiting['cycle']}", "--json")
    assert (done.status, done.object["outcome"], done.object["commit"]) == (0, "committed", waiting["commit"])
    assert here.tip == waiting["commit"] and git(here.made.remote, "rev-parse", "main^") == base
    assert git(here.made.checkout, "rev-parse", "HEAD") == here.tip
    assert ", approved by root on " in str(done.object["reason"])
    assert ", approved by root on " in (here.state.pages / f"cycles/{waiting['cycle']}.html").read_text()
    assert kept(here, "waiting") == kept(here, "rescue") == []
    with here.journal() as journal:
        consent = given(journal, str(waiting["cycle"]))
        assert consent and (consent.word, consent.who) == ("approve", "root")
        assert journal.runs(1)[0].outcome == "committed"
    here.clean()


def test_approving_twice_pushes_once(here: Place, waiting: Report) -> None:
    assert say(here, "approve last").status == 0
    tip = here.tip
    again = say(here, "approve last")
    assert again.status == 78 and "does not wait: it is committed" in again.err and again.err.count("\n") == 1
    assert here.tip == tip and git(here.made.remote, "rev-list", "--count", "main") == "2"


def test_approval_after_the_branch_moved_pushes_nothing_and_keeps_the_commit(here: Place, waiting: Report) -> None:
    theirs = here.human({"NOTES.md": b"by hand\n"})
    done = say(here, "approve last", "--json")
    assert (done.status, done.object["outcome"], done.object["commit"]) == (1, "reverted", None)
    assert "lost the race" in str(done.object["reason"]) and here.tip == theirs
    assert kept(here, "rescue") == [waiting["commit"]] and kept(here, "waiting") == []


def test_approval_while_a_cycle_runs_is_turned_away(here: Place, waiting: Report) -> None:
    with here.unmoved(), held(here.state.lock):
        done = say(here, "approve last")
    assert (done.status, done.out) == (75, "") and "another cycle" in done.err
    assert say(here, "approve last").status == 0


def test_a_rejection_and_its_reason_outlast_a_rebuild_of_the_ledger(here: Place, waiting: Report) -> None:
    with here.unmoved():
        done = say(here, "reject last", "--why", "we have\x1b[31m too many", "--json")
    reason = str(done.object["reason"])
    assert (done.status, done.object["outcome"]) == (0, "reverted")
    assert reason.startswith("rejected by root on ") and "we have\\x1b[31m too many" in reason
    assert kept(here, "rescue") == [waiting["commit"]] and kept(here, "waiting") == []
    assert say(here, "ledger rebuild").status == 0
    (idea,) = LedgerStore(here.state.ledger).rejected(5)
    assert (idea.keys, idea.reason, idea.cycle) == (("articles/the-horn-on-gannet-rock",), reason, waiting["cycle"])
    assert not idea.fades, "what a person turned down stays turned down"
    assert say(here, "approve last").status == 78


def test_while_one_waits_no_cycle_starts_and_nobody_is_paid(here: Place, waiting: Report) -> None:
    with here.unmoved():
        for dry_run in (False, True):
            report = here.fire("committed", dry_run=dry_run)
            assert (report["outcome"], report["stage"], report["exit_code"]) == ("skipped", "precheck", 0)
            assert str(report["reason"]).startswith(f"{waiting['cycle']} waits for approval until ")
            assert report["model_calls"] == 0


def test_a_wish_of_the_page_is_carried_out_by_the_next_firing(here: Place, waiting: Report) -> None:
    with here.journal() as journal:
        ask(journal, str(waiting["cycle"]))
    with here.unmoved():
        assert here.fire("committed", dry_run=True)["outcome"] == "skipped"
    here.edit(('approve = "ask"', 'approve = "auto"'), ('quiet_period = "0s"', 'quiet_period = "3h"'))
    report = here.fire("committed-feature")
    assert here.tip == waiting["commit"]
    assert (report["outcome"], report["stage"]) == ("skipped", "precheck")
    assert "an approved cycle was pushed at" in str(report["reason"])
    assert "approved by the page" in say(here, "show", str(waiting["cycle"])).out.replace("\n ", "")
    here.edit(('quiet_period = "3h"', 'quiet_period = "0s"'))
    here.landed(here.fire("committed-feature"), str(waiting["commit"]))


def test_a_rejecting_wish_of_the_page_is_carried_out_too_and_a_cycle_follows(here: Place, waiting: Report) -> None:
    with here.journal() as journal:
        ask(journal, str(waiting["cycle"]), "reject")
    here.edit(('approve = "ask"', 'approve = "auto"'))
    base = here.tip
    here.landed(here.fire("committed-feature"), base)
    with here.journal() as journal:
        reason = journal.run(str(waiting["cycle"])).reason
    assert reason.startswith("rejected by the page on 2026-11-30T18:00 UTC: good")


def test_approval_expires(here: Place, waiting: Report) -> None:
    started = datetime.fromisoformat(json.loads(run_given(here))["started"])
    with time_machine.travel(started + LATE), here.unmoved():
        done = say(here, "approve last", "--json")
    assert (done.status, done.object["outcome"]) == (1, "reverted")
    assert str(done.object["reason"]).startswith("nobody approved of it in time")


def test_what_expired_or_lost_its_base_gives_way_to_the_next_cycle(here: Place, waiting: Report) -> None:
    theirs = here.human({"NOTES.md": b"by hand\n"})
    git(here.made.checkout, "pull", "--quiet")
    here.edit(('approve = "ask"', 'approve = "auto"'))
    here.landed(here.fire("committed-feature"), theirs)
    with here.journal() as journal:
        old = journal.run(str(waiting["cycle"]))
    assert (old.outcome, old.reason.split(";")[0]) == ("reverted", "main moved while it waited for approval")


def test_a_crash_after_the_push_is_made_good_and_cannot_be_rejected(here: Place, waiting: Report) -> None:
    with here.journal() as journal:
        ask(journal, str(waiting["cycle"]))
    git(here.state.store, "push", "--quiet", str(here.made.remote), f"{waiting['commit']}:refs/heads/main")
    refused = say(here, "reject last")
    assert refused.status == 78 and "is on the branch already" in refused.err
    assert say(here, "approve last").status == 0
    assert git(here.made.remote, "rev-list", "--count", "main") == "2"


def test_a_push_that_the_remote_refuses_leaves_it_waiting_and_can_be_rejected(here: Place, waiting: Report) -> None:
    hook = here.made.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'frozen' >&2\nexit 1\n")
    hook.chmod(0o755)
    with here.unmoved():
        assert say(here, "approve last").status == 1
        assert say(here, "status", "--json").object["waiting"]
        assert say(here, "reject last").status == 0


def run_given(here: Place) -> str:
    with here.journal() as journal:
        return journal.runs(1)[0].given
