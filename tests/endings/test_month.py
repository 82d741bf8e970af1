"""A month of firings under a clock moved by hand: commits, refusals, failures, reboots, and what is said of them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from itertools import pairwise

import pytest
import time_machine

from bot.journal import Run
from bot.store.git import Identity, commit_files
from bot.telling.report import Report
from tests.endings.conftest import Stager
from tests.endings.test_waiting import say
from tests.support.firing import SOON, Place, told_by
from tests.support.hearers import Hearer, hearing
from tests.support.killing import Moment, killed
from tests.support.plays import YES, Play, article, play, submit
from tests.support.repository import git

START = (datetime.now(UTC) + timedelta(days=2)).replace(hour=0, minute=0, second=0, microsecond=0)
EVERY, DAYS, QUIET, CALLS = 8, 30, timedelta(hours=70), 4
LATE, AGE = timedelta(minutes=20), timedelta(days=10)
BROKEN: Play = {"build": []}  # the model's end of the line breaks at once: a failed cycle
ASKS_AND_DECLINES: Play = {
    "build": [
        [
            [{"type": "tool_use", "name": "bash", "input": {"command": "ls"}}],
            [{"type": "tool_use", "name": "decline", "input": {"reason": "nothing is missing"}}],
        ]
    ]
}
DECLINED, FAILED, RESUMED, KILLED, OFF, PUSHED = {18, 19, 20}, {30, 31, 32}, 39, {48, 57}, range(58, 64), 72


def adds(number: int) -> Play:
    """Three model calls that put one article before the first."""
    slug = f"the-{('horn', 'bell', 'fog', 'oil', 'wick', 'lens', 'mole', 'buoy', 'quay')[number // EVERY % 9]}-{number}"
    return play([article(slug), submit(key=slug, routes=(f"/articles/{slug}",))], (YES,))


@pytest.fixture
def ear() -> Iterator[Hearer]:
    with hearing() as hearer:
        yield hearer


@dataclass
class Month:
    """Fires as a timer does: each eighth hour with a jitter, and once after the machine was off."""

    here: Place
    reports: dict[int, Report] = field(default_factory=dict)

    def at(self, number: int, act: Callable[[], object], late: timedelta = timedelta(0)) -> object:
        """Do it when that firing is due."""
        due = START + timedelta(hours=EVERY * number, minutes=number * 7 % 15) + late
        with time_machine.travel(due, tick=True):
            return act()

    def fire(self, number: int, script: Play, late: timedelta = timedelta(0)) -> None:
        self.at(number, lambda: self.reports.__setitem__(number, self.here.fire(script)), late)

    def run(self) -> None:
        """All of it."""
        for number in range(DAYS * 24 // EVERY):
            if number == RESUMED:
                assert say(self.here, "resume").status == 0
            if number == PUSHED:
                self.at(number, self._push, timedelta(minutes=-30))
            if number in KILLED:
                self.at(number, partial(killed, self.here, adds(number), Moment("start", "gate")))
                # What was missed comes as soon as the machine is up; the idea of a run that died is not had again.
                soon = number + 1 not in OFF
                self.fire(number, adds(number if soon else number + 1), LATE if soon else timedelta(hours=50))
            elif number not in OFF:
                self.fire(number, self._script(number))

    def _script(self, number: int) -> Play:
        return ASKS_AND_DECLINES if number in DECLINED else BROKEN if number in FAILED else adds(number)

    def _push(self) -> None:
        """A person's commit that is as young as it can be."""
        who = Identity("A Person", "p@example.org", datetime.now(UTC).isoformat(timespec="seconds"))
        commit_files(self.here.made.remote, "main", {"NOTES.md": b"by hand\n"}, "By hand", who)

    def said(self, *numbers: int) -> set[str]:
        return {f"{self.reports[number]['outcome']}: {self.reports[number]['reason']}" for number in numbers}


def ended(run: Run) -> datetime:
    assert run.ended
    return datetime.fromisoformat(run.ended)


@pytest.mark.timeout(600)
def test_a_month_alone(staged: Stager, ear: Hearer) -> None:
    here = staged((SOON[1], 'quiet_period = "70h"'), ("[budget]", f"[budget]\nmodel_calls_per_day = {CALLS}"), age=AGE)
    told = f'\n[notify]\nhealthchecks = "{ear.url}"\nwebhook = "{ear.url}/hook"\n'
    here.made.config.write_text(here.made.config.read_text() + told)
    month = Month(here)
    month.run()

    with here.journal() as journal:
        runs = journal.runs(999)[::-1]
        days = Counter(call.at[:10] for run in runs for call in journal.calls(run.cycle))
    # never two at once
    assert all(ended(one) <= datetime.fromisoformat(two.started) for one, two in pairwise(runs))
    # never closer than the quiet period, to a person's commit neither
    pushed = [datetime.fromisoformat(run.started) for run in runs if run.outcome == "committed"]
    by_hand = datetime.fromisoformat(git(here.made.remote, "log", "-1", "--grep=^By hand", "--format=%cI", "main"))
    assert all(later - earlier >= QUIET for earlier, later in pairwise(pushed)) and len(pushed) == 7
    assert pushed[-1] - by_hand >= QUIET > by_hand - pushed[-2]
    # the day's budget
    assert max(days.values()) == CALLS
    assert all("the budget of" in words for words in month.said(20))
    # the breaker opens, says so, and closes with `resume`
    assert all("3 cycles failed in a row" in words for words in month.said(*range(33, RESUMED)))
    assert month.reports[RESUMED]["outcome"] == "committed"
    # a reboot: the half cycle is finished, or closed when it is a day old
    half = [run for run in runs if run.stopped_by == "resume"]
    assert [run.outcome for run in half] == ["failed"] and "more than a day ago" in half[0].reason
    resumed = next(run for run in runs if run.cycle == month.reports[48]["cycle"])
    assert resumed.outcome == "committed" and ended(resumed) - datetime.fromisoformat(resumed.started) > LATE / 2
    assert "quiet_period is over" in "".join(month.said(64))
    # one notice for each change of state
    events = [json.loads(body)["event"] for path, body in ear.heard if path.endswith("/hook")]
    assert events == ["committed"] * 3 + ["failed"] * 3 + ["setup"] + ["committed"] * 4
    ends = [word for word in ear.paths if word not in ("start", "hook")]
    assert ends.count("78") == 4 and set(ends) == {"0", "78"}
    assert ear.paths.count("start") == len(month.reports) + len(KILLED)
    # the record, the ledger and the history say the same
    assert told_by(here.made.remote) == [run.cycle for run in reversed(runs) if run.outcome == "committed"]
    assert say(here, "ledger verify").status == 0
    here.clean()
