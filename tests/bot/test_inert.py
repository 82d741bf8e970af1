"""Whatever a change, a site or a server is called, it is one harmless line wherever it is told."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from bot.agents.briefs import claim
from bot.cli.output import print_object
from bot.cli.reported import complain
from bot.lines import one_line
from bot.machine.logs import marked
from bot.model import Claim
from bot.notify.notice import tail
from bot.store.publisher import message
from ledger.trailers import parse
from tests.bot.store.test_publisher import ADDS, approval
from tests.support import values

HOSTILE = ("\x1b]0;x\x07", "\u202e", "\u2066", "\n<0>emergency", "\r", "\x9b2J", "\ud800", "\u2028", "<script>")
TEXT = st.lists(st.sampled_from(HOSTILE) | st.text(max_size=6), max_size=6).map("".join)


def printed(of: object, *arguments: object) -> str:
    """What a function says on both streams."""
    import typer

    app = typer.Typer()
    app.command()(lambda: of(*arguments))  # type: ignore[operator]
    return CliRunner().invoke(app, catch_exceptions=False).output


@given(TEXT)
def test_a_complaint_is_one_line_that_begins_with_our_name(text: str) -> None:
    said = printed(complain, text)
    assert said.startswith("plusone: ") and said.count("\n") == 1 and said[:-1].isprintable()


@given(TEXT)
def test_a_line_for_systemds_journal_has_no_level_but_ours(text: str) -> None:
    with Path(os.devnull).open("w") as journal:
        facts = os.fstat(journal.fileno())
        line = marked(f"plusone: {one_line(text)}", "error", f"{facts.st_dev}:{facts.st_ino}", journal.fileno())
    assert line.startswith("<3>plusone: ") and line.isprintable()


@given(st.dictionaries(TEXT, TEXT, max_size=3))
def test_an_object_is_one_printable_line_of_json(found: dict[str, str]) -> None:
    said = printed(print_object, found)
    assert said.count("\n") == 1 and said[:-1].isprintable() and json.loads(said) == found


@given(TEXT, TEXT, TEXT, st.lists(TEXT, max_size=2))
def test_a_claim_forges_no_trailer_and_no_further_line(kind: str, key: str, summary: str, more: list[str]) -> None:
    said = Claim(kind, key, summary, tuple(more), tuple(more), tuple(more))
    text = message(replace(values.ready()), approval(said))
    assert parse(text).adds == ADDS and all(line.isprintable() for line in text.split("\n"))
    assert len(claim(said).split("\n")) <= 6 and all(line.isprintable() for line in claim(said).split("\n"))
    tail([summary]).encode("utf-8")  # half characters and all, it can be sent
