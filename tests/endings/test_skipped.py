"""A cycle that does not start: not now, quietly, or not until a person has acted, with exit status 78."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import timedelta

from bot.cli.steer import pause, resume
from bot.machine.lock import held
from bot.telling.report import Report
from tests.endings.conftest import Stager
from tests.support.firing import SOON, Place
from tests.support.plays import ARTICLES
from tests.support.repository import git

APP = "src/lights/app.py"
PAGES = "src/lights/views/pages.py"
HIDDEN = b"""

@blueprint.get("/hidden/<name>")
def hidden(name):
    return name
"""


def skipped(here: Place, status: int = 0) -> Report:
    """The firing is skipped, and neither a model nor a write was near."""
    with here.unmoved():
        report = here.fire("committed")
    seen = (report["outcome"], report["stage"], report["exit_code"], report["path"])
    assert seen == ("skipped", "precheck", status, ["precheck", "skipped"]), report
    assert (report["model_calls"], report["tree"], report["objections"]) == (0, None, [])
    return report


def test_a_young_branch_is_left_in_peace_until_the_quiet_period_is_over(staged: Stager) -> None:
    here = staged(SOON[::-1], age=timedelta(minutes=5))
    report = skipped(here)
    assert "cycle.quiet_period is over in 175 min" in str(report["reason"])
    here.edit(SOON)
    here.goes_on()


def test_a_persons_work_in_the_checkout_holds_the_cycle_back(staged: Stager) -> None:
    here = staged()
    readme = here.made.checkout / "README.md"
    before = readme.read_bytes()
    readme.write_bytes(before + b"half a thought\n")
    (here.made.checkout / "scribble.txt").write_text("untracked files never matter\n")
    report = skipped(here)
    assert "has uncommitted changes in README.md" in str(report["reason"])
    readme.write_bytes(before)
    (here.made.checkout / "scribble.txt").unlink()
    here.goes_on()


def test_a_person_at_work_inside_the_allowed_paths_keeps_it_while_the_branch_moves_on(staged: Stager) -> None:
    here = staged()
    base, articles = here.tip, here.made.checkout / ARTICLES
    articles.write_text(articles.read_text() + "# mine\n")
    report = here.fire("committed")
    assert report["outcome"] == "committed" and articles.read_text().endswith("# mine\n")
    assert git(here.made.checkout, "rev-parse", "HEAD") == base != here.tip
    here.clean()
    git(here.made.checkout, "checkout", "--quiet", "--", ARTICLES)
    git(here.made.checkout, "pull", "--quiet")
    here.goes_on("committed-feature")


def test_who_finds_the_lock_held_waits_for_nothing_and_leaves_no_row(staged: Stager) -> None:
    here = staged()
    here.state.create()
    command = [sys.executable, "-c", "from bot.cli.main import main; main()", "run", "--json"]
    command += ["--config", str(here.made.config), "--model", str(here.choice("committed"))]
    with held(here.state.lock), here.unmoved():
        report = here.fire("committed")
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env={"TMPDIR": str(here.scratch)})
    told = json.loads(done.stdout)
    assert done.returncode == report["exit_code"] == 75
    for one in (told, report):
        assert (one["outcome"], one["stage"], one["path"]) == ("skipped", "lock", [])
        assert str(here.state.lock) in str(one["reason"])
    with here.journal() as journal:
        assert journal.runs(9) == ()
    here.goes_on()


def test_a_day_whose_budget_is_spent_waits_for_the_next(staged: Stager) -> None:
    here = staged(("[budget]\n", "[budget]\nmodel_calls_per_day = 6\n"))
    first = here.goes_on("committed")
    assert first["model_calls"] == 6  # rows of another cycle count, whoever made them
    report = skipped(here)
    assert "6 model calls of budget.model_calls_per_day = 6" in str(report["reason"])
    here.edit(("model_calls_per_day = 6", "model_calls_per_day = 60"))
    here.goes_on("committed-feature")


def test_a_budget_that_ends_in_the_middle_fails_the_cycle_by_name(staged: Stager) -> None:
    here = staged(("[budget]\n", "[budget]\nmodel_calls = 3\n"))
    with here.unmoved():
        report = here.fire("committed")
    assert (report["outcome"], report["stage"], report["exit_code"]) == ("failed", "build", 1)
    assert (report["stopped_by"], report["model_calls"]) == ("model_calls", 3)
    here.edit(("model_calls = 3\n", ""))
    here.goes_on()


def test_a_paused_site_rests_until_it_is_resumed(staged: Stager) -> None:
    here = staged()
    here.state.create()
    pause(here.made.config)
    assert "`plusone resume` goes on" in str(skipped(here)["reason"])
    resume(here.made.config)
    here.goes_on()


def test_a_site_that_does_not_boot_is_a_matter_for_a_person(staged: Stager) -> None:
    here = staged()
    app = (here.made.checkout / APP).read_bytes()
    here.human({APP: app + b"\nraise RuntimeError('the lamp is out')\n"})
    git(here.made.checkout, "pull", "--quiet")
    report = skipped(here, 78)
    assert "does not work as it is" in str(report["reason"]) and "the lamp is out" in str(report["reason"])
    here.human({APP: app})
    git(here.made.checkout, "pull", "--quiet")
    here.goes_on()


def test_a_sweep_that_sees_too_little_refuses_with_the_rules_it_missed(staged: Stager) -> None:
    here = staged(("floor = 0.5", "floor = 0.97"))
    before = (here.made.checkout / PAGES).read_bytes()
    here.human({PAGES: before + HIDDEN})
    git(here.made.checkout, "pull", "--quiet")
    report = skipped(here, 78)
    assert "/hidden/<name>" in str(report["reason"]) and "examples" in str(report["reason"])
    here.edit(("examples = [", 'examples = ["/hidden/lamp", '))
    here.goes_on()


def test_the_breaker_opens_after_failures_in_a_row_and_stays_open(staged: Stager) -> None:
    here = staged(("[budget]\n", "[budget]\nfailures = 2\nmodel_calls = 1\n"))
    assert [here.fire("committed")["outcome"] for _ in range(2)] == ["failed", "failed"]
    here.edit(("model_calls = 1\n", ""))
    for _ in range(2):
        report = skipped(here, 78)
        assert "2 cycles failed in a row" in str(report["reason"]) and "plusone resume" in str(report["reason"])
    resume(here.made.config)
    here.goes_on()
