"""A cycle that is stopped or breaks: it says by what, its exit status tells the timer, and the next one goes on."""

from __future__ import annotations

import pytest

from bot.errors import JournalError
from bot.firing.replay import replay
from bot.firing.start import fire
from tests.endings.conftest import Stager
from tests.support.full_disk import files_of_at_most
from tests.support.killing import Moment, killed
from tests.support.messages_api import HangUp, Status, messages_api

TURN = ["scope", "guards", "gate", "decide"]
PRICES = '\n[models.prices]\n"claude-sonnet-5-5" = { input = 3.0, output = 15.0 }\n'


def test_three_repairs_that_do_not_converge_are_the_last_ones_paid(staged: Stager) -> None:
    here = staged()
    with here.unmoved():
        report = here.fire("not-converged")
    assert (report["outcome"], report["stage"], report["exit_code"]) == ("failed", "decide", 1)
    assert (report["stopped_by"], report["repairs"]) == ("decide→fix", 3)
    assert report["path"] == ["precheck", "build", *TURN, "fix", *TURN, "fix", *TURN, "fix", *TURN]
    with here.journal() as journal:
        paid = [(one.node, one.visit) for one in journal.calls(str(report["cycle"])) if one.node != "build"]
    assert sorted(set(paid)) == [("fix", 1), ("fix", 2), ("fix", 3)]
    here.goes_on()


def test_a_repair_that_changes_nothing_is_not_asked_for_twice(staged: Stager) -> None:
    here = staged()
    with here.unmoved():
        killed(here, "no-progress", Moment("lost", "gate", 2))
        report = here.fire("no-progress")
    assert (report["outcome"], report["stage"], report["exit_code"]) == ("failed", "decide", 1)
    assert (report["stopped_by"], report["repairs"]) == ("decide→fix", 1) and "no progress" in str(report["reason"])
    assert report["path"] == ["precheck", "build", *TURN, "fix", *TURN]
    with here.journal() as journal:
        steps = journal.steps(str(report["cycle"]))
    for node in ("guards", "gate"):
        first, second = (step.value for step in steps if step.node == node)
        assert first == second, f"{node} ran again: its seconds differ"
    record = here.state.cycle(str(report["cycle"])) / "recording.jsonl"
    assert replay(record, here.settings, here.state, here.environment).differences == ()
    here.goes_on()


def test_a_remote_that_is_away_fails_the_cycle_and_not_the_next_one(staged: Stager) -> None:
    here = staged()
    away = here.made.remote.with_name("away.git")
    here.made.remote.rename(away)
    report = here.fire("committed")
    assert (report["outcome"], report["stage"], report["exit_code"]) == ("failed", "precheck", 69)
    assert (report["stopped_by"], report["path"]) == ("Unreachable", ["precheck"])
    assert str(here.made.remote) in str(report["reason"]) and report["model_calls"] == 0
    here.clean()
    away.rename(here.made.remote)
    here.goes_on()


@pytest.mark.parametrize(
    ("answers", "error", "status", "calls"),
    [
        ([Status(401, "authentication_error", message="invalid x-api-key")], "CredentialsRefused", 77, 1),
        ([Status(529, "overloaded_error", {"retry-after": "0"})] * 5, "Overloaded", 75, 5),
        ([HangUp()], "Unreachable", 69, 5),
    ],
)
def test_a_model_service_that_does_not_answer_ends_the_cycle_in_its_own_way(
    answers: list[Status | HangUp], error: str, status: int, calls: int, staged: Stager, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.agents.calls._FIRST_PAUSE", 0.01)
    here = staged()
    here.made.config.write_text(here.made.config.read_text() + PRICES)
    with messages_api(*answers) as api, here.unmoved():
        here.address = api.url
        api.answers *= calls if len(answers) == 1 else 1
        report = here.fire("anthropic")
    assert (report["outcome"], report["stage"], report["exit_code"]) == ("failed", "build", status), report
    assert (report["stopped_by"], report["path"], report["tree"]) == (error, ["precheck", "build"], None)
    assert len(api.bodies) == report["model_calls"] == calls
    assert "sk-none-of-yours" not in str(report) and "sk-none-of-yours" in str(api.headers[0])
    here.goes_on()


def test_a_cycle_that_cannot_even_be_written_down_says_what_broke(staged: Stager) -> None:
    here = staged()
    here.state.create()
    with here.journal():
        pass
    with files_of_at_most(0), pytest.raises(JournalError, match=r"journal\.db cannot be read or written"):
        fire(here.order())
    (told,) = here.told
    assert (told["outcome"], told["stage"]) == ("failed", "set-up")
    assert "cannot be read or written" in str(told["reason"])
    here.goes_on("committed")
