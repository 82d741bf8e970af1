"""What people say about a waiting cycle, noted in a real journal."""

from __future__ import annotations

import json
import os
import pwd
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from bot.errors import ConfigError, JournalError
from bot.model import Committed, Failed, Reverted, Waiting
from bot.operation.consent import Consent, expires, give, given, somebody
from tests.support.pages import Pages

YES = Consent("approve", "keeper", "2026-11-30T18:00:00+00:00")
HELD = Waiting("c" * 40, "t" * 40, "article x waits")


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    return Pages(tmp_path)


def test_what_was_said_is_read_back_and_the_last_word_counts(pages: Pages) -> None:
    run = pages.run("c1", HELD)
    assert given(pages.journal, "c1") is None
    for said in (YES, replace(YES, word="reject", why="no: “dull”")):
        give(pages.journal, run, said)
        assert given(pages.journal, "c1") == said


def test_nothing_is_said_about_a_cycle_that_does_not_wait(pages: Pages) -> None:
    for name, outcome in (("c1", Committed("c", "t", "added x")), ("c2", Failed("gate", "broke")), ("c3", None)):
        with pytest.raises(ConfigError, match=f"{name} does not wait: it is "):
            give(pages.journal, pages.run(name, outcome), YES)
        assert given(pages.journal, name) is None


def test_hostile_words_are_one_short_harmless_line(pages: Pages) -> None:
    give(pages.journal, pages.run("c1", HELD), replace(YES, who="a\nb\x1b", why="\u202e" + "long " * 400))
    said = given(pages.journal, "c1")
    assert said and said.who == "a b\\x1b" and said.why.isprintable() and len(said.why) == 300


def test_a_damaged_note_is_never_read_as_consent(pages: Pages) -> None:
    strange = json.dumps({"word": "yes", "who": "x", "when": YES.when})
    for text in ("yes", "[]", json.dumps({"word": "approve"}), '{"word": "approve", "by": "x"}', strange):
        pages.journal.set_note("consent/c1", text)
        with pytest.raises(JournalError, match="cannot be read"):
            given(pages.journal, "c1")


def test_it_is_told_as_the_end_of_a_sentence() -> None:
    assert YES.told == "by keeper on 2026-11-30T18:00 UTC"
    assert replace(YES, why="good").told == "by keeper on 2026-11-30T18:00 UTC: good"


def test_waiting_ends_some_time_after_the_judgement(pages: Pages) -> None:
    run = pages.run("c1", HELD)
    assert expires(run, timedelta(days=7)) == pages.clock.now() + timedelta(days=7)


def test_a_person_has_the_name_of_their_account() -> None:
    assert somebody() == pwd.getpwuid(os.getuid()).pw_name


def test_a_run_that_waited_is_settled_once_and_keeps_its_end(pages: Pages) -> None:
    before = pages.run("c1", HELD)
    pages.clock.forward(days=1)
    assert [run.cycle for run in pages.journal.waiting_runs()] == ["c1"]
    pages.journal.settle_run("c1", Reverted("commit", "rejected"))
    after = pages.journal.run("c1")
    assert (after.outcome, after.reason, after.exit_code, after.commit) == ("reverted", "rejected", 0, None)
    assert (after.ended, after.tree, after.base) == (before.ended, before.tree, before.base)
    assert pages.journal.waiting_runs() == ()
    with pytest.raises(JournalError, match="waits for nobody"):
        pages.journal.settle_run("c1", Committed("c", "t", "added"))
