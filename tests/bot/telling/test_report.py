"""The object that says how a cycle ended."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.model import Built, Committed, Failed, Outcome, Reverted, Skipped, Waiting
from bot.telling.report import CARRIED, printed, report, unstarted
from tests.support.pages import Pages
from tests.support.values import CLAIM, OTHER, TREE, objection, ready, repair, snapshot

DONE = Committed("c" * 40, TREE, "added it")
ENDS: list[tuple[Outcome, str, int]] = [
    (DONE, "committed", 0),
    (Waiting("c" * 40, TREE, "somebody must approve"), "waiting", 0),
    (Reverted("guards", "no", (objection("guards"),), TREE, CLAIM), "reverted", 0),
    (Skipped("wait", "too-soon", "not yet"), "skipped", 0),
    (Skipped("setup", "breaker", "mend it"), "skipped", 78),
    (Failed("decide", "never", "decide→fix", (objection(),), TREE), "failed", 1),
    (Failed("gate", "away", exit_code=69), "failed", 69),
]


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    return Pages(tmp_path)


@pytest.mark.parametrize(("outcome", "word", "status"), ENDS, ids=lambda value: str(value)[:20])
def test_every_outcome_has_its_word_its_reason_and_its_status(
    outcome: Outcome, word: str, status: int, pages: Pages
) -> None:
    found = report(pages.journal, pages.run("c1", outcome))
    assert (found["outcome"], found["reason"], found["exit_code"]) == (word, outcome.reason, status)
    assert found["stopped_by"] == getattr(outcome, "stopped_by", "")
    assert found["commit"] == getattr(outcome, "commit", None)
    listed = found["objections"]
    assert isinstance(listed, list) and len(listed) == len(getattr(outcome, "objections", ()))


def test_the_path_the_repairs_and_the_time_are_those_of_the_steps(pages: Pages) -> None:
    steps = [("precheck", ready()), ("build", Built(CLAIM)), ("scope", snapshot()), ("fix", repair())]
    found = report(pages.journal, pages.run("c1", DONE, [*steps, ("fix", repair(tree=OTHER))]))
    assert found["path"] == ["precheck", "build", "scope", "fix", "fix"]
    assert (found["repairs"], found["seconds"], found["base"], found["tree"]) == (2, 2.5, "b" * 40, TREE)
    assert found["sandbox"] == "bwrap"  # which one it was, where precheck came so far


def test_money_and_tokens_are_summed_and_an_unknown_price_is_none(pages: Pages) -> None:
    pages.run("c1")
    pages.call("c1", "build")
    pages.call("c1", "validate")
    found = report(pages.journal, pages.journal.run("c1"))
    assert (found["model_calls"], found["usd"]) == (2, 0.5)
    assert found["tokens"] == {"input": 200, "output": 40, "cache_read": 10, "cache_write": 0}
    pages.call("c1", "fix", None)
    assert report(pages.journal, pages.journal.run("c1"))["usd"] is None


def test_an_open_run_has_no_outcome_yet(pages: Pages) -> None:
    found = report(pages.journal, pages.run("c1"))
    assert (found["outcome"], found["exit_code"], found["seconds"]) == (None, None, 0.0)


def test_a_clock_that_was_put_back_makes_no_negative_time(pages: Pages) -> None:
    pages.run("c1")
    pages.clock.forward(hours=-1)
    pages.journal.close("c1", DONE)
    assert report(pages.journal, pages.journal.run("c1"))["seconds"] == 0.0


def test_a_firing_without_a_row_has_the_same_keys(pages: Pages) -> None:
    told = unstarted("c2", "skipped", "lock", "held", True)
    assert set(told) == set(printed(report(pages.journal, pages.run("c1"))))
    assert (told["cycle"], told["dry_run"], told["path"], told["usd"]) == ("c2", True, [], 0.0)


def test_what_is_printed_leaves_out_what_is_for_the_caller(pages: Pages) -> None:
    found = report(pages.journal, pages.run("c1", DONE))
    assert set(found) - set(printed(found)) == set(CARRIED) - {"notice"}
    assert "notice" not in printed({**found, "notice": "needs a person"})
