"""What was said to models, read from recordings that are whole, cut short, or no recordings at all."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.web.difference import MOST, lines
from bot.web.exchanges import LONGEST, Told, exchanges
from tests.support.commands import fired


def recorded(folder: Path, **fields: object) -> Path:
    """A recording with one exchange."""
    line = {"node": "build", "visit": 1, "seq": 1, "at": "x", "request": {}, "status": 200, "headers": {}, "body": ""}
    file = folder / "r.jsonl"
    file.write_text(json.dumps({"plusone": 1}) + "\n" + json.dumps({**line, **fields}) + "\n")
    return file


@pytest.fixture
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Told, ...]:
    return exchanges(fired("gate-repaired", tmp_path_factory).recording)


def test_a_real_cycle_is_told_call_by_call(told: tuple[Told, ...]) -> None:
    assert told[0].title == "build, visit 1, call 1: 200"
    assert [piece.who for piece in told[0].pieces[:2]] == ["system", "user"]
    assert any(piece.kind == "uses bash" for one in told for piece in one.pieces)
    assert any((piece.who, piece.kind) == ("user", "text") for one in told for piece in one.pieces)


def test_what_was_sent_before_is_not_told_again(told: tuple[Told, ...]) -> None:
    assert [piece.who for piece in told[1].pieces].count("system") == 0
    results = [piece for piece in told[1].pieces if piece.kind == "result"]
    assert len(results) == 1 and results[0].who == "tool"


def test_no_recording_is_nothing_and_a_bad_one_says_so(tmp_path: Path) -> None:
    assert exchanges(tmp_path / "none.jsonl") == ()
    (tmp_path / "bad.jsonl").write_text("{}\n")
    (only,) = exchanges(tmp_path / "bad.jsonl")
    assert only.title == "the recording cannot be read" and "no recording of ours" in only.pieces[0].text


@pytest.mark.parametrize("body", ["", "data: {", 'data: {"type": "content_block_delta", "index": 3}', "<html>busy"])
def test_an_answer_that_was_cut_short_is_shown_as_it_came(tmp_path: Path, body: str) -> None:
    (only,) = exchanges(recorded(tmp_path, seq=2, status=None, body=body, error="cut"))
    assert only.title == "build, visit 1, call 2: no answer"
    assert [(piece.kind, piece.text) for piece in only.pieces] == [("error", "cut"), ("raw", body)]


def test_a_huge_piece_is_cut_and_says_by_how_much(tmp_path: Path) -> None:
    file = recorded(tmp_path, request={"system": "y" * (LONGEST + 7)})
    assert exchanges(file)[0].pieces[0].text.endswith("\n… 7 characters more")


def test_lines_of_a_patch_are_told_apart_by_where_they_stand() -> None:
    head = "diff --git a/x b/x\n--- a/x\n+++ b/x\n"
    patch = head + "@@ -1,3 +1,3 @@\n a\n--- gone\n+++ come\n\\ No newline\ndiff --git a/y b/y\n"
    assert [line.kind for line in lines(patch)] == [
        "file", "file", "file", "hunk", "plain", "removed", "added", "plain", "file",
    ]  # fmt: skip


def test_a_patch_is_inert_bounded_and_empty_when_it_is() -> None:
    assert lines("") == ()
    assert lines("@@\n+\x1b\u202e\n")[1].text == "+\\x1b\\u202e"
    many = lines("@@\n" + "+x\n" * (MOST + 4))
    assert len(many) == MOST + 1 and many[-1].text.startswith("… 5 lines more")
