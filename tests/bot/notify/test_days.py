"""Some days of firings under a clock moved by hand: what a timer sets off, what holds it back, and what is said."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
import time_machine

from bot.holds import RESUMED
from tests.support.firing import SOON, Place, place, warmed
from tests.support.hearers import Hearer, hearing
from tests.support.plays import YES, Play, play, replacing, submit

MIDNIGHT = (datetime.now(UTC) + timedelta(days=2)).replace(hour=0, minute=0, second=0, microsecond=0)
BROKEN: Play = {"build": []}  # the model's end of the line breaks at once: a failed cycle


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return warmed(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def ear() -> Iterator[Hearer]:
    with hearing() as hearer:
        yield hearer


def adds(slug: str) -> Play:
    """Three model calls that put one article before the first, whichever that is."""
    fields = {"slug": slug, "title": slug.replace("-", " ").capitalize(), "date": "2025-10-01"}
    fields |= {"summary": f"About {slug}.", "body": f"Nobody had written about {slug} before."}
    lines = [f"        {json.dumps(key)}: {json.dumps(value)}," for key, value in fields.items()]
    entry = "\n".join(["    {", *lines, '        "tags": ["fog"],', "    },", ""])
    put = replacing("ARTICLES = [\n", "ARTICLES = [\n" + entry)
    return play([put, submit(key=slug, routes=(f"/articles/{slug}",))], validate=(YES,))


def at(hours: float, here: Place, script: Play) -> tuple[str, str]:
    """The outcome of a firing at that hour, and the refusal or the stop in a word."""
    with time_machine.travel(MIDNIGHT + timedelta(hours=hours), tick=True):
        report = here.fire(script)
    return str(report["outcome"]), str(report["reason"])


def test_days_of_firings_keep_every_limit_and_say_each_change_once(tmp_path: Path, cache: Path, ear: Hearer) -> None:
    here = place(tmp_path, cache)
    here.edit((SOON[1], SOON[0]), ("[budget]", "[budget]\nmodel_calls_per_day = 6\nfailures = 3"))
    text = here.made.config.read_text()
    here.made.config.write_text(f'{text}\n[notify]\nhealthchecks = "{ear.url}"\n')

    assert at(0, here, adds("lamp-one"))[0] == "committed"
    assert "quiet_period is over" in at(0.2, here, adds("lamp-two"))[1]  # a catch-up right after it
    assert at(4, here, adds("lamp-two"))[0] == "committed"
    assert "the budget of" in at(8, here, adds("lamp-three"))[1]
    assert [at(24 + 4 * n, here, BROKEN)[0] for n in range(3)] == ["failed"] * 3
    refused = [at(36 + 4 * n, here, adds("lamp-three")) for n in range(2)]
    assert all(outcome == "skipped" and "3 cycles failed in a row" in reason for outcome, reason in refused)
    with here.journal() as journal:
        journal.set_note(RESUMED, journal.runs(1)[0].cycle)
    assert at(44, here, adds("lamp-three"))[0] == "committed"

    ends = [word for word in ear.paths if word != "start"]
    assert ends == ["0", "0", "0", "0", "78", "78", "78", "78", "0"]  # three failures, one open breaker, all's well
    assert ear.paths.count("start") == 10
    with here.journal() as journal:
        runs = journal.runs(100)
    pushed = [datetime.fromisoformat(run.started) for run in reversed(runs) if run.outcome == "committed"]
    assert all(later - earlier >= timedelta(hours=3) for earlier, later in pairwise(pushed))
    assert len(runs) == 10 and here.keys() == ["articles/lamp-one", "articles/lamp-two", "articles/lamp-three"]
    here.clean()
