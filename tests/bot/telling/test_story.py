"""A cycle's story: complete, narrow, and harmless to a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import Built, Committed, Evidence, Failed, GateObjections, GatePassed, Objection, Spent, Tokens
from bot.telling.story import cost, objection, row, story
from tests.support.pages import Pages
from tests.support.values import CLAIM, TREE, ready, snapshot

AGAINST = Objection("dead-link", "gate", "/lamps", "href", "the link to /oil is dead", "404", "link to a page")
ODD = "\x1b[31mred\x07 \u202eback\nnew line"


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    return Pages(tmp_path)


def told(pages: Pages, cycle: str = "c1") -> str:
    return "\n".join(story(pages.journal, pages.journal.run(cycle)))


def test_it_tells_each_node_with_what_it_returned(pages: Pages) -> None:
    steps = [("precheck", ready()), ("build", Built(CLAIM)), ("scope", snapshot())]
    pages.run("c1", Committed("c" * 40, TREE, "added it"), steps, dry=True)
    text = told(pages)
    assert text.startswith("c1  committed  (dry run)\n  added it\n  base bbbbbbbbbbbb, tree aaaaaaaaaaaa, commit ccccc")
    assert "  build         0.50  Built             article harbour-lights\n" in text
    assert "  scope         0.50  Snapshot          article harbour-lights" in text
    assert "model script:x, sandbox auto" in text and "1.50 s from 2026-11-30T04:00:00 UTC" in " ".join(text.split())


def test_it_tells_a_decline_in_the_builders_words(pages: Pages) -> None:
    pages.run("c1", None, [("build", Built(None, "nothing is worth adding"))])
    assert "Built             nothing is worth adding" in told(pages)


def test_objections_and_evidence_come_after_the_nodes(pages: Pages) -> None:
    evidence = (Evidence("routes", {"verified": 9}, "flask 3", ("left out: /now",), 1.26, True),)
    steps = [("gate", GateObjections(TREE, (AGAINST,), evidence)), ("gate", GatePassed(TREE, evidence))]
    pages.run("c1", Failed("decide", "never", "decide→fix"), steps)
    text = told(pages)
    row = "  routes          1.3  cached  verified 9; flask 3\n"
    assert text.count(row + " " * 31 + "left out: /now") == 2
    assert text.count("  evidence    seconds  base    found\n" + row) == 1
    assert "GateObjections    1: the link to /oil is dead" in text and "stopped by decide→fix" in text
    after = text.partition("  objections of gate (step 1)\n")[2]
    assert (
        after
        == "  [dead-link] /lamps: the link to /oil is dead\n      seen: 404\n      accepted would be: link to a page"
    )


def test_a_node_in_flight_is_told_as_such(pages: Pages) -> None:
    pages.run("c1")
    pages.journal.start("c1", 1, "precheck")
    assert told(pages).splitlines()[-1] == "  precheck         …  in flight"
    assert told(pages).splitlines()[0] == "c1  open"


@settings(max_examples=30, deadline=None)
@given(st.text(max_size=300))
def test_nothing_that_others_wrote_breaks_a_line_or_reaches_the_terminal_raw(text: str) -> None:
    lines = list(objection(Objection("code", "gate", text, text, text, text, text)))
    assert all(line.isprintable() for line in lines)


def test_a_reason_with_control_characters_is_spelt_out(pages: Pages) -> None:
    pages.run("c1", Failed("gate", ODD), [("build", Built(None, ODD))])
    for text in (told(pages), row(pages.journal.run("c1"))):
        assert "\\x1b[31mred" in text and not any(one in text for one in "\x1b\x07\u202e")


@pytest.mark.parametrize("reason", ["short", "long " * 60, "w" * 300])
def test_every_line_fits_eighty_columns_where_words_do(reason: str, pages: Pages) -> None:
    pages.run("20261130T040000Z-7f3a", Failed("gate", reason), [("build", Built(None, reason))])
    assert max(map(len, told(pages, "20261130T040000Z-7f3a").splitlines())) <= 80
    assert len(row(pages.journal.run("20261130T040000Z-7f3a"))) <= 80


def test_a_row_of_an_open_run_says_so(pages: Pages) -> None:
    assert row(pages.run("c1")) == f"{'c1':<22} open       not ended"


def test_cost_is_in_words_and_an_unknown_price_is_called_that() -> None:
    assert (
        cost(Spent(2, Tokens(10, 3, 4, 0), 0.5)) == "2 model calls, 10 tokens in, 3 out, 4 read from cache; 0.5000 USD"
    )
    assert cost(Spent(1, Tokens(10, 3), None)) == "1 model calls, 10 tokens in, 3 out; price unknown"
