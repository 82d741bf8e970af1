"""`plusone gate` on a real site: what it says, in which form, and how it ends."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from tests.support.repository import git
from tests.support.sites import dedented
from tests.support.watched import APP, Watched, watched

TESTS = '\n[gate.tests]\ncommand = ["python", "-c", "import app"]\n'


@pytest.fixture(scope="module")
def lamp(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    """`main` is as the remote has it, `worse` breaks a page and the lint, `better` adds a page."""
    here = watched(tmp_path_factory.mktemp("gate"), {"ruff.toml": "lint.select = ['F']\n"}, TESTS)
    home = dedented(APP)
    here.commit(
        {"app.py": home + "\n@app.get('/wick')\ndef wick(): return '<title>Wick</title><h1>Wick</h1>'\n"}, "better"
    )
    git(here.checkout, "checkout", "-q", "main")
    here.commit({"app.py": "import os\n" + home.replace("def oil(): return", "def oil(): return 1 / 0 or")}, "worse")
    return here


def gate(here: Watched, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["gate", *here.options, *arguments])


def test_what_is_no_worse_than_base_passes(lamp: Watched) -> None:
    done = gate(lamp, "--tree", "main")
    assert done.exit_code == 0, done.output
    assert "passed" in done.stdout
    for part in ("lint", "catalogue", "routes", "tests"):
        assert f"    {part}: " in done.stdout


def test_the_checkouts_head_is_judged_against_the_remotes_branch(lamp: Watched) -> None:
    done = gate(lamp)
    assert done.exit_code == 1, done.output
    assert "objections" in done.stdout and "[lint] app.py:1" in done.stdout and "ZeroDivisionError" in done.stdout


def test_as_json_it_is_one_object(lamp: Watched) -> None:
    done = gate(lamp, "--json", "--tree", "worse")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["passed"]) == (1, False)
    assert {"lint", "status-changed"} <= {one["code"] for one in told["objections"]}
    assert told["base"]["oid"] == git(lamp.checkout, "rev-parse", "main")
    assert told["candidate"]["tree"] == git(lamp.checkout, "rev-parse", "worse^{tree}")
    assert [one["part"] for one in told["evidence"]] == ["lint", "catalogue", "routes", "tests"]


def test_two_other_revisions_may_be_compared(lamp: Watched) -> None:
    back = gate(lamp, "--base", "better", "--tree", "main", "--format", "json")
    assert [one["subject"] for one in json.loads(back.stdout)["objections"]] == ["/wick"]
    assert gate(lamp, "--base", "worse~1", "--tree", git(lamp.checkout, "rev-parse", "--short", "main")).exit_code == 0


def test_a_base_that_does_not_boot_a_revision_that_nobody_knows_and_a_held_lock_have_their_status(
    lamp: Watched, tmp_path: Path
) -> None:
    unknown = gate(lamp, "--tree", "no-such")
    assert unknown.exit_code == 78 and "'no-such': no such commit or branch" in unknown.output
    assert gate(lamp, "--tree", "--upload-pack=touch x").exit_code == 78
    broken = watched(tmp_path, {"app.py": "raise RuntimeError('no oil')\n"})
    done = gate(broken)
    assert done.exit_code == 78 and "no oil" in done.output
    with (lamp.folder / "state/lamp/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert gate(lamp).exit_code == 75


def test_a_person_at_a_terminal_sees_how_far_it_is_and_a_pipe_does_not(lamp: Watched) -> None:
    words = [sys.executable, "-c", "from bot.cli.main import main; main()", "gate", *lamp.options, "--tree", "main"]
    master, slave = pty.openpty()
    piped = subprocess.run(words, capture_output=True, text=True, timeout=60, check=True)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=slave, text=True) as seen:
        out, _ = seen.communicate(timeout=60)
    os.close(slave)
    told = os.read(master, 10_000).decode()
    os.close(master)
    assert piped.stderr == "" and "passed" in piped.stdout and "passed" in out
    for part in ("lint", "catalogue", "routes", "tests"):
        assert f"{part}: base is measured" in told and f"{part}: 0 objections after" in told


def test_it_leaves_nothing_behind_and_the_checkout_as_it_was(lamp: Watched) -> None:
    before = git(lamp.checkout, "rev-parse", "HEAD"), git(lamp.checkout, "status", "--porcelain")
    gate(lamp)
    assert not (lamp.folder / "state/lamp/scratch").exists()
    assert before == (git(lamp.checkout, "rev-parse", "HEAD"), git(lamp.checkout, "status", "--porcelain"))
