"""Nothing leaves the machine: each judge in turn says no, and the next good firing commits."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from bot.telling.report import Report
from ledger.store import LedgerStore
from tests.endings.conftest import Stager
from tests.support.firing import Place
from tests.support.plays import BODY, DOCSTRING, Play, article, bash, play, replacing, submit
from tests.support.repository import git
from tests.support.traces import photograph

KEY = "AKIA" + "Q3XKZ7W2LM5RT6VB"
SCOPE = ["precheck", "build", "scope", "decide", "revert"]
GUARDS = ["precheck", "build", "scope", "guards", "decide", "revert"]
JUDGED = ["precheck", "build", "scope", "guards", "gate", "validate", "decide"]
IMPORT = replacing(DOCSTRING, DOCSTRING + "\nimport re\n")


def codes(report: Report) -> set[object]:
    objections = report["objections"]
    assert isinstance(objections, list)
    return {one["code"] for one in objections}


def refused(here: Place, script: Play | str, stage: str, path: list[str], dry_run: bool = False) -> Report:
    """The firing ends reverted, and nothing moved but the record."""
    with here.unmoved():
        report = here.fire(script, dry_run)
    seen = {name: report[name] for name in ("outcome", "stage", "path", "exit_code", "commit", "stopped_by")}
    assert seen == {
        "outcome": "reverted", "stage": stage, "path": path, "exit_code": 0, "commit": None, "stopped_by": "",
    }, report  # fmt: skip
    return report


CASES: dict[str, tuple[Play | str, str, list[str], str]] = {
    "scope": ("scope-protected", "scope", SCOPE, "protected"),
    "scope-symlink": (
        play([article(), bash("ln -s /etc/passwd src/lights/x.txt"), submit()]), "scope", SCOPE, "symlink",
    ),
    "one-addition": ("guard-two-things", "guards", GUARDS, "too-many"),
    "nothing-taken": (
        play([article(), replacing('"Reading a light"', '"Reading the light"'), submit()]), "guards", GUARDS, "edited",
    ),
    "claim-holds": (play([article(), submit(key="another-lamp")]), "guards", GUARDS, "claim-key"),
    "unknown-to-ledger": ("guard-known", "guards", GUARDS, "known"),
    "size": (play([article(), bash("seq 300 > src/lights/notes.txt"), submit()]), "guards", GUARDS, "too-many-lines"),
    "secrets": (play([article(body=f"{BODY} {KEY}"), submit()]), "guards", GUARDS, "secret"),
    "decline": ("declined", "scope", SCOPE, "declined"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_an_objection_that_nothing_mends_reverts_at_once(name: str, staged: Stager) -> None:
    script, stage, path, code = CASES[name]
    here = staged()
    report = refused(here, script, stage, path)
    assert code in codes(report) and report["repairs"] == 0
    assert (report["tree"] is None) == (name in ("scope", "scope-symlink", "decline"))
    if report["tree"]:
        assert report["tree"] in kept(here, f"snapshots/{report['cycle']}").values()
    here.goes_on()


def kept(here: Place, prefix: str) -> dict[str, str]:
    """What the store holds under its own refs, by name."""
    listed = git(here.state.store, "for-each-ref", "--format=%(refname) %(objectname)", f"refs/plusone/{prefix}")
    return dict(line.split(" ") for line in listed.splitlines())


def rejected(here: Place) -> list[tuple[tuple[str, ...], str]]:
    """The ideas that the ledger remembers as turned down, newest first."""
    return [(one.keys, one.cycle) for one in LedgerStore(here.state.ledger).rejected(10)]


def test_a_reviewer_who_cannot_be_read_reverts_without_a_repair(staged: Stager) -> None:
    here = staged()
    report = refused(here, "review-unreadable", "validate", [*JUDGED, "revert"])
    assert "could not be read, twice" in str(report["reason"]) and report["repairs"] == 0
    assert rejected(here)[0][1] == report["cycle"]
    here.goes_on("committed-feature")


def test_a_repair_that_widens_the_change_is_caught_by_scope(staged: Stager) -> None:
    here = staged()
    wide = bash("echo '# wider' >> src/lights/content/keepers.py")
    path = ["precheck", "build", "scope", "guards", "gate", "decide", "fix", "scope", "decide", "revert"]
    report = refused(here, play([article(), IMPORT, submit()], (), (wide,)), "scope", path)
    assert codes(report) == {"repair-widened"} and report["repairs"] == 1
    assert "src/lights/content/keepers.py" in str(report["reason"])
    here.goes_on()


def test_a_dry_run_judges_everything_and_pushes_nothing(staged: Stager) -> None:
    here = staged()
    report = here.fire("committed", dry_run=True)
    with here.unmoved():
        again = here.fire("committed", dry_run=True)
    for one in (report, again):
        assert (one["outcome"], one["stage"], one["dry_run"], one["commit"]) == ("reverted", "commit", True, None)
        assert str(one["reason"]).startswith("dry run: would commit ") and one["path"] == [*JUDGED, "commit"]
    assert here.state.ledger.exists() and rejected(here) == []
    here.goes_on()


@pytest.mark.parametrize("moment", ["while-building", "at-the-push"])
def test_a_person_who_pushes_meanwhile_wins_the_race(moment: str, staged: Stager) -> None:
    here = staged()
    base, before = here.tip, photograph(here.made.checkout)
    meddle = while_building if moment == "while-building" else at_the_push
    with meddle(here) as by_hand:
        report = here.fire("committed")
    assert (report["outcome"], report["stage"], report["exit_code"]) == ("reverted", "commit", 0), report
    assert str(report["reason"]).startswith("lost the race: main moved") and report["path"] == [*JUDGED, "commit"]
    assert here.tip == by_hand[0] and git(here.made.remote, "rev-parse", "main^") == base
    assert photograph(here.made.checkout) == before
    (ours,) = kept(here, f"rescue/{report['cycle']}").values()
    assert git(here.state.store, "show", "-s", "--format=%T %P", ours) == f"{report['tree']} {base}"
    here.clean()
    git(here.made.checkout, "pull", "--quiet")
    here.goes_on()


@contextmanager
def while_building(here: Place) -> Iterator[list[str]]:
    """A person pushes as soon as the agent's folder is there, which is after base was fetched."""
    pushed: list[str] = []

    def watch() -> None:
        until = time.monotonic() + 30
        while not list(here.state.cycles.glob("*/workspace/src")) and time.monotonic() < until:
            time.sleep(0.01)
        pushed.append(here.human({"notes.txt": b"mine\n"}))

    thread = threading.Thread(target=watch)
    thread.start()
    yield pushed
    thread.join()


@contextmanager
def at_the_push(here: Place) -> Iterator[list[str]]:
    """A person's push lands between our last look at the branch and our own: the remote's hook sees to it."""
    base = here.tip
    by_hand = here.human({"notes.txt": b"mine\n"})
    git(here.made.remote, "update-ref", "refs/heads/main", base)
    git(here.made.remote, "update-ref", "refs/kept/by-hand", by_hand)
    hook = here.made.remote / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec env -u GIT_QUARANTINE_PATH git update-ref refs/heads/main {by_hand}\n")
    hook.chmod(0o755)
    yield [by_hand]
    hook.unlink()
