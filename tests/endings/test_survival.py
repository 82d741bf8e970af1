"""What a firing finds that it did not leave like that: another program, another clock, damage, a lock, a rival."""

from __future__ import annotations

import gc
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import time_machine

from bot.agents.recording import load
from bot.errors import JournalError, StoreDamaged
from bot.firing.start import fire
from bot.machine.environment import Environment
from tests.endings.conftest import Stager
from tests.support.firing import SOON, Place
from tests.support.killing import Moment, killed
from tests.support.repository import git

CHANGES = {
    "another-graph": (("repairs = 3", "repairs = 2"), None, "the program was changed meanwhile"),
    "unreadable-value": (None, "UPDATE step SET type = 'Forgotten' WHERE node = 'scope'", "cannot be followed"),
    "unreadable-trigger": (None, "UPDATE run SET given = '{}'", "cannot be followed"),
    "too-old": (None, "UPDATE run SET started = '2020-01-01T00:00:00.000+00:00'", "more than a day ago"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_half_run_that_cannot_be_finished_is_closed_and_the_next_one_starts_at_once(
    change: str, staged: Stager
) -> None:
    here = staged()
    edit, sql, words = CHANGES[change]
    killed(here, "gate-repaired", Moment("start", "validate"))
    if edit:
        here.edit(edit)
    if sql:
        with sqlite3.connect(here.state.journal) as journal:
            journal.execute(sql)
    report = here.goes_on()
    with here.journal() as opened:
        second, first = opened.runs(9)
    assert (second.cycle, second.outcome) == (report["cycle"], "committed")
    assert (first.outcome, first.stage, first.stopped_by, first.exit_code) == ("failed", "validate", "resume", 1)
    assert words in first.reason
    end = load(here.state.cycle(first.cycle) / "recording.jsonl").end
    assert (end["outcome"], end["reason"], end["path"]) == ("failed", first.reason, list(first.path))
    kept = git(here.state.store, "for-each-ref", "--format=%(refname)", f"refs/plusone/snapshots/{first.cycle}")
    assert len(kept.splitlines()) == 2  # the rejected tree and the repaired one


def test_a_branch_that_moved_meanwhile_closes_the_half_run(staged: Stager) -> None:
    here = staged()
    killed(here, "committed", Moment("kept", "gate"))
    here.human({"notes.txt": b"mine\n"})
    git(here.made.checkout, "pull", "--quiet")
    here.goes_on()
    with here.journal() as opened:
        first = opened.runs(9)[-1]
    assert first.outcome == "failed" and "the branch moved from" in first.reason


def test_a_half_run_of_another_kind_is_left_for_its_own(staged: Stager) -> None:
    here = staged()
    base = here.tip
    killed(here, "committed", Moment("kept", "decide"))
    dry = here.fire("committed", dry_run=True)
    assert dry["outcome"] == "reverted" and here.tip == base
    report = here.fire("committed")
    assert report["cycle"] != dry["cycle"] and str(report["cycle"]) < str(dry["cycle"])
    here.landed(report, base)


def test_a_clock_that_is_put_back_neither_wedges_nor_counts_backwards(staged: Stager) -> None:
    here = staged()
    base = here.tip
    later = datetime.now(UTC) + timedelta(days=400)
    with time_machine.travel(later):
        killed(here, "committed", Moment("lost", "decide"))
    report = here.fire("committed")
    here.landed(report, base)
    assert report["seconds"] == 0.0 and str(report["cycle"]).startswith(f"{later:%Y%m%dT}")
    here.goes_on("committed-feature")


def test_a_tip_from_the_future_is_too_recent_from_when_it_was_first_seen(staged: Stager) -> None:
    here = staged(SOON[::-1], age=timedelta(days=-500))
    with time_machine.travel(datetime.now(UTC) + timedelta(days=400)):  # first seen by a clock that was wrong
        assert here.fire("committed")["outcome"] == "skipped"
    report = here.fire("committed")
    assert report["outcome"] == "skipped" and "is over in 180 min" in str(report["reason"])
    with time_machine.travel(datetime.now(UTC) + timedelta(hours=4)):
        here.goes_on()


def test_a_journal_that_is_damaged_is_named_and_kept(staged: Stager) -> None:
    here = staged()
    here.fire("declined")
    path = here.state.journal
    gc.collect()  # the firing's own connection, as if its process had ended
    assert not path.with_name("journal.db-wal").exists()
    whole = path.read_bytes()
    for damage in (b"", whole[:5000], whole[:-4096], b"x" * len(whole)):
        path.write_bytes(damage)
        before = (here.tip, here.state.cycles.stat().st_mtime_ns)
        with pytest.raises(
            JournalError, match=r"journal\.db (is damaged|is empty|has no version).*the file is kept as it is"
        ) as error:
            fire(here.order("committed"))
        assert error.value.exit_code == 1
        assert path.read_bytes() == damage and (here.tip, here.state.cycles.stat().st_mtime_ns) == before
    path.write_bytes(whole)
    here.goes_on()


@pytest.mark.parametrize("half", [False, True])
def test_a_store_that_is_damaged_is_named_and_set_aside_and_the_next_firing_commits(half: bool, staged: Stager) -> None:
    here = staged()
    base = here.tip
    if half:
        killed(here, "committed", Moment("kept", "gate"))
    else:
        here.fire("declined")
    (here.state.store / "HEAD").write_bytes(b"")
    with pytest.raises(StoreDamaged, match=r"store\.git is damaged \(.*\); `plusone run` sets it aside"):
        fire(here.order("committed"))
    assert (here.state.root / "store.git.damaged-1" / "HEAD").read_bytes() == b""
    here.landed(here.fire("committed"), base)


def test_a_damage_that_only_a_node_meets_is_told_of_the_store(staged: Stager) -> None:
    here = staged()
    here.fire("declined")
    git(here.state.store, "repack", "-a", "-d", "-q")
    (pack,) = (here.state.store / "objects" / "pack").glob("*.pack")
    whole = pack.read_bytes()
    pack.chmod(0o600)
    pack.write_bytes(whole[: len(whole) // 2] + bytes(200) + whole[len(whole) // 2 + 200 :])
    with here.unmoved():
        report = here.fire("committed")
    assert (report["outcome"], report["exit_code"]) == ("failed", 1)
    assert "store.git is damaged (" in str(report["reason"])
    here.goes_on("committed")


def test_a_state_folder_that_was_copied_elsewhere_goes_on_where_it_was(staged: Stager) -> None:
    here = staged()
    base = here.tip
    killed(here, "gate-repaired", Moment("kept", "fix"))
    other = here.folder / "another machine"
    shutil.copytree(here.environment.state, other)
    here.edit(('dir = "state"', f"dir = {json.dumps(str(other))}"))
    shutil.rmtree(here.environment.state)
    here.environment = Environment(state=other)
    report = here.fire("gate-repaired")
    here.landed(report, base)
    assert report["repairs"] == 1 and not (here.made.config.parent / "state").exists()


def test_what_a_dead_git_left_locked_is_unlocked(staged: Stager) -> None:
    here = staged()
    here.fire("declined")
    refs = here.state.store / "refs"
    for lock in (refs / "fetched" / "tip.lock", here.state.store / "packed-refs.lock", here.state.store / "HEAD.lock"):
        lock.parent.mkdir(exist_ok=True)
        lock.touch()
    (here.state.root / ".store-dead").mkdir()
    (here.state.scratch / "export-dead").mkdir(parents=True)
    for old in (here.state.root / "replay-dead", here.scratch / "plusone-git-dead"):
        (old / "store.git").mkdir(parents=True)
    (here.state.cache / ".dead").touch()
    here.goes_on()
    assert not (here.state.cache / ".dead").exists()


def test_of_two_processes_one_commits_and_the_other_waits_for_nothing(staged: Stager) -> None:
    here = staged()
    base = here.tip
    first, second = _run(here), _run(here)
    told = [json.loads(one.communicate(timeout=100)[0]) for one in (first, second)]
    assert sorted([first.returncode, second.returncode]) == [0, 75]
    winner, loser = sorted(told, key=lambda one: str(one["outcome"]))
    winner["exit_code"] = 0
    assert (loser["outcome"], loser["stage"], loser["path"]) == ("skipped", "lock", [])
    here.landed(winner, base)
    with here.journal() as journal:
        assert [run.cycle for run in journal.runs(9)] == [winner["cycle"]]


def _run(here: Place) -> subprocess.Popen[bytes]:
    """`plusone run`, as a process of its own."""
    command = [str(Path(sys.executable).with_name("plusone")), "run", "--json", "--config", str(here.made.config)]
    command += ["--model", str(here.choice("committed"))]
    environment = {**os.environ, "TMPDIR": str(here.scratch)}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
