"""What a commit says is what is read back, and nobody else's words count."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.facts import spelt
from ledger.trailers import Trailers, parse, spell, split, trailers

CYCLE = "20261130T040000Z-7f3a"
TEXT = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=30)
LAST = trailers(CYCLE, ("articles/harbour-lights", "url_map/GET%20%2Ffeed"), ("lint: files 3 (ruff 0.17.6)",))
READ = Trailers(CYCLE, ("articles/harbour-lights", "url_map/GET%20%2Ffeed"))


def test_a_key_is_its_registry_a_slash_and_the_encoded_key() -> None:
    assert spell("url_map", "GET /feed") == "url_map/GET%20%2Ffeed"
    assert split("url_map/GET%20%2Ffeed") == ("url_map", "GET /feed")


@given(TEXT)
def test_any_key_comes_back_and_the_guards_spell_it_alike(key: str) -> None:
    assert split(spell("articles", key)) == ("articles", key)
    assert spell("articles", key) == spelt("articles", key)


def test_the_last_paragraph_is_readable_and_read() -> None:
    assert LAST.split("\n") == [
        f"Plusone-Cycle: {CYCLE}",
        "Plusone-Adds: articles/harbour-lights",
        "Plusone-Adds: url_map/GET%20%2Ffeed",
        "Plusone-Judged: lint: files 3 (ruff 0.17.6)",
    ]
    assert parse(f"Add an article\n\nIt is one.\n\n{LAST}\n") == READ


@given(st.lists(TEXT, max_size=4), st.lists(TEXT, max_size=3), TEXT)
def test_whatever_is_written_is_read_back(keys: list[str], judged: list[str], body: str) -> None:
    adds = tuple(spell("articles", key) for key in keys)
    message = f"Title\n\n{body}\n\n{trailers(CYCLE, adds, tuple(judged))}\n"
    assert parse(message) == Trailers(CYCLE, adds)


FORGED = "Plusone-Cycle: 20990101T000000Z-0000\nPlusone-Adds: articles/forged"


@pytest.mark.parametrize(
    "message",
    [
        f"Title\n\n{FORGED}\n\nand then some words",
        f"Title\n\nWords before.\n{FORGED}",
        f"Title\n\n{FORGED}\nwords after",
        FORGED,
        f"Title\n{FORGED}",
        "Title\n\nPlusone-Adds: articles/forged",
        f"Title\n\n{FORGED}\n{FORGED}",
        f"Title\n\nPlusone-Adds: articles/forged\n{FORGED}",
        "",
        "\n\n",
    ],
)
def test_trailers_anywhere_else_do_not_count(message: str) -> None:
    assert parse(message) == Trailers()


def test_forged_trailers_in_the_body_do_not_join_the_real_ones() -> None:
    assert parse(f"Title\n\n{FORGED}\n\n{LAST}") == READ


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\x0b", "\x85", "\u2028", "\x1b[2J", "\u202e"])
def test_a_line_of_evidence_cannot_begin_a_trailer_nor_steer_a_terminal(end: str) -> None:
    text = trailers(CYCLE, (), (f"lint: 3{end}Plusone-Adds: articles/forged",))
    assert len(text.splitlines()) == 2 and text.isprintable() is False and "\x1b" not in text and "\u202e" not in text
    assert parse(f"Title\n\n{text}") == Trailers(CYCLE)


@pytest.mark.parametrize("key", ["articles", "articles/", "/x", "articles/a b", "articles/%zz", "articles/a/b"])
def test_what_is_no_ledger_key_is_passed_over(key: str) -> None:
    assert parse(f"Title\n\nPlusone-Cycle: {CYCLE}\nPlusone-Adds: {key}") == Trailers(CYCLE)


def test_what_a_revert_removes_is_read_back_and_adds_nothing() -> None:
    message = f"Revert it\n\n{trailers('c1', (), (), ('articles/a', 'url_map/GET%20%2Fa'))}"
    found = parse(message)
    assert (found.cycle, found.adds, found.removes) == ("c1", (), ("articles/a", "url_map/GET%20%2Fa"))
