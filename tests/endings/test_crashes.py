"""Kill -9 at every step of a cycle: the next firing finishes it, nothing is paid or pushed twice."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from bot.agents.recording import load
from bot.telling.report import Report
from ledger.store import LedgerStore
from tests.endings.conftest import Stager
from tests.support.firing import SOON, Place
from tests.support.killing import Moment, killed
from tests.support.repository import git
from tests.support.traces import photograph

JUDGED = ["scope", "guards", "gate", "validate", "decide"]
REPAIRED = ["precheck", "build", "scope", "guards", "gate", "decide", "fix", *JUDGED, "commit"]
SCRIPTS = {"revert": "declined", "skipped": "committed"}


def recording(here: Place, cycle: object) -> Path:
    """Where a cycle is recorded."""
    return here.state.cycle(str(cycle)) / "recording.jsonl"


def exchanges(here: Place, cycle: object) -> list[tuple[str, int, int]]:
    """The places of the recorded answers of a cycle."""
    path = recording(here, cycle)
    lines = [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []
    return [(line["node"], line["visit"], line["seq"]) for line in lines if "node" in line]


def paid_once(here: Place, report: Report, in_flight: int = 0) -> None:
    """Each answer is recorded once and has one row; `in_flight` calls died with their process, at their reserve."""
    found = exchanges(here, report["cycle"])
    assert max(Counter(found).values(), default=1) == 1
    with here.journal() as journal:
        calls = journal.calls(str(report["cycle"]))
    assert len(calls) == len(found) + in_flight
    assert all(one.tokens.total == one.reserved_tokens for one in calls if one.state == "open")


def only_run(here: Place) -> Report:
    """There is one run, and it is closed; its report as the last firing told it."""
    with here.journal() as journal:
        (run,) = journal.runs(9)
    assert run.outcome is not None and run.cycle == here.told[-1]["cycle"]
    return here.told[-1]


@pytest.mark.parametrize("node", [*dict.fromkeys(REPAIRED), "revert", "skipped"])
def test_a_process_that_dies_in_a_node_or_right_after_it_loses_nothing(node: str, staged: Stager) -> None:
    here = staged()
    if node == "skipped":
        here.edit(SOON[::-1], ('quiet_period = "3h"', 'quiet_period = "9d"'))
    script = SCRIPTS.get(node, "gate-repaired")
    base, before = here.tip, photograph(here.made.checkout)
    for what in ("start", "lost", "kept"):
        killed(here, script, Moment(what, node))
        with here.journal() as journal:
            assert [run.path[-1] for run in journal.open_runs()] == [node]
    here.fire(script)
    report = only_run(here)
    paid_once(here, report)
    if script == "gate-repaired":
        assert report["path"] == REPAIRED
        here.landed(report, base)
    else:
        assert str(report["path"]).endswith(f"'{node}']") and here.tip == base
        assert photograph(here.made.checkout) == before
    here.clean()


@pytest.mark.parametrize("node", ["build", "validate", "fix"])
def test_an_answer_is_never_paid_twice_and_one_in_flight_counts_at_its_reserve(node: str, staged: Stager) -> None:
    here = staged()
    base = here.tip
    killed(here, "gate-repaired", Moment("reserved", node))
    killed(here, "gate-repaired", Moment("answered", node))
    here.fire("gate-repaired")
    report = only_run(here)
    paid_once(here, report, in_flight=1)
    with here.journal() as journal:
        states = Counter(one.state for one in journal.calls(str(report["cycle"])))
    assert states["open"] == 2  # the one that died with its request, and the one whose answer was not yet counted
    here.landed(report, base)


@pytest.mark.parametrize("what", ["pushed", "followed", "closing", "closed"])
def test_the_push_happens_once_whatever_dies_around_it(what: str, staged: Stager) -> None:
    here = staged()
    base = here.tip
    killed(here, "committed", Moment(what))
    assert git(here.made.remote, "rev-parse", "main^") == base  # it is there already
    if what == "closed":
        with here.journal() as journal:
            (run,) = journal.runs(9)
        assert run.outcome == "committed" and not load(recording(here, run.cycle)).end
        here.goes_on("committed-feature")
        assert load(recording(here, run.cycle)).end["commit"] == run.commit
        return
    here.fire("committed")
    here.landed(only_run(here), base)
    here.goes_on("committed-feature")


def test_an_idea_that_was_turned_down_is_remembered_by_the_next_firing(staged: Stager) -> None:
    here = staged()
    killed(here, "guard-two-things", Moment("closed"))
    ledger = LedgerStore(here.state.ledger)
    assert ledger.rejected(9) == ()
    here.goes_on()
    (idea,) = ledger.rejected(9)
    assert idea.keys[0].startswith("articles/") and load(recording(here, idea.cycle)).end["outcome"] == "reverted"


def test_a_record_that_can_no_longer_be_read_does_not_hold_up_the_next_firing(staged: Stager) -> None:
    here = staged()
    killed(here, "committed", Moment("closed"))
    with here.journal() as journal:
        (run,) = journal.runs(9)
    with recording(here, run.cycle).open("ab") as record:
        record.write(b'{"node": "validate", "vis\n{"nod')  # a line that was cut and continued, and one that was cut
    here.goes_on("committed-feature")
    assert recording(here, run.cycle).read_bytes().splitlines()[-1].startswith(b'{"end": ')


def test_a_closed_run_whose_trigger_cannot_be_read_does_not_hold_up_the_next_firing(staged: Stager) -> None:
    here = staged()
    killed(here, "committed", Moment("closed"))
    with sqlite3.connect(here.state.journal) as book:
        book.execute("UPDATE run SET given = '{'")
    here.goes_on("committed-feature")
