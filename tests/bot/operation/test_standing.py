"""How a site fares."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine

from bot.model import Committed, Failed, Skipped
from bot.operation.holds import PAUSED, RESUMED
from bot.operation.standing import LAST, standing, told
from bot.settings import Settings
from tests.support.pages import Pages
from tests.support.settings import loaded, with_lines

NOW = datetime(2026, 11, 30, 23, 59, tzinfo=UTC)


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    return Pages(tmp_path)


@pytest.fixture
def said(tmp_path: Path) -> Settings:
    return loaded(tmp_path)


def lines(said: Settings, pages: Pages) -> list[str]:
    return list(told(standing(said, pages.journal)))


@time_machine.travel(NOW, tick=False)
def test_a_new_site_has_nothing_against_it(said: Settings, pages: Pages) -> None:
    assert lines(said, pages) == ["harbour, branch main", "  today (2026-11-30 UTC): 0 model calls, 0.0000 USD"]


@time_machine.travel(NOW, tick=False)
def test_the_days_spending_is_that_of_the_utc_day(said: Settings, pages: Pages) -> None:
    pages.clock.forward(days=-1)
    pages.run("c1")
    pages.call("c1", "build")
    pages.clock.forward(days=1)
    pages.call("c1", "build")
    spent = standing(said, pages.journal)["spent"]
    assert isinstance(spent, dict) and (spent["model_calls"], spent["usd"]) == (1, 0.25)
    pages.call("c1", "build", None)
    assert lines(said, pages)[-2] == "  today (2026-11-30 UTC): 2 model calls, price unknown"


def test_only_the_last_cycles_are_told_newest_first(said: Settings, pages: Pages) -> None:
    for number in range(LAST + 2):
        pages.run(f"c{number}", Skipped("wait", "too-soon", "not yet"))
    assert [line.split()[0] for line in lines(said, pages)[-LAST:]] == ["c6", "c5", "c4", "c3", "c2"]


def test_failures_in_a_row_open_the_breaker_and_a_resume_closes_it(said: Settings, pages: Pages) -> None:
    pages.run("c0", Committed("c", "t", "fine"))
    for number in range(1, 4):
        assert standing(said, pages.journal)["breaker_open"] is False
        pages.run(f"c{number}", Failed("gate", "broke"))
    assert standing(said, pages.journal)["failures_in_a_row"] == 3
    assert lines(said, pages)[1] == ("  the breaker is open: 3 cycles failed in a row; `plusone resume` closes it")
    pages.journal.set_note(RESUMED, "c3")
    found = standing(said, pages.journal)
    assert (found["breaker_open"], found["failures_in_a_row"]) == (False, 0)


def test_a_pause_and_a_cycle_without_an_end_are_told(said: Settings, pages: Pages) -> None:
    pages.journal.set_note(PAUSED, "since noon: fog")
    pages.run("c1")
    assert lines(said, pages)[1:3] == [
        "  paused since noon: fog; `plusone resume` goes on",
        "  c1 has no end: it is running, or its process died and `plusone run` finishes it",
    ]


def test_a_site_without_a_sandbox_says_so_every_time(tmp_path: Path, pages: Pages) -> None:
    text = with_lines("sandbox", 'mode = "none-i-accept-the-risk"', 'outer = "vm"')
    assert "  WITHOUT SANDBOX: sandbox.mode is none-i-accept-the-risk" in lines(loaded(tmp_path, text), pages)


def test_what_others_wrote_is_one_harmless_line(said: Settings, pages: Pages) -> None:
    pages.run("c1", Failed("gate", "\x1b[31mred\n" + "long " * 40))
    last = lines(said, pages)[-1]
    assert last.isprintable() and len(last) == 80
    assert last.endswith("…")  # it says that it was cut
