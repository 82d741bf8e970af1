"""`plusone graph`: drawings and proofs of the cycle's table."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from bot.cycle import cycle
from bot.draw import draw
from bot.graph.proof import prove
from tests.support.commands import complaint, plusone
from tests.support.settings import with_lines, written


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("format", ["text", "mermaid"])
def test_it_is_drawn(format: str) -> None:
    done = plusone("graph", "--format", format)
    assert (done.status, done.err) == (0, "")
    assert done.out == draw(cycle(3), "text" if format == "text" else "mermaid")


def test_a_picture_is_made_for_other_programs_too() -> None:
    dot, svg = plusone("graph", "--format", "dot"), plusone("graph", "--format", "svg")
    assert (dot.status, svg.status) == (0, 0)
    assert dot.out.startswith("digraph") and ElementTree.fromstring(svg.out).tag.endswith("svg")
    for node in cycle(3).nodes:
        assert node.name in dot.out and node.name in svg.out


def test_as_json_it_is_the_table_and_with_check_its_proofs() -> None:
    table, checked = plusone("graph", "--json").object, plusone("graph", "--check", "--json").object
    assert [one["name"] for one in table["nodes"]] == [node.name for node in cycle(3).nodes]  # type: ignore[attr-defined]
    assert {"source": "decide", "target": "fix", "when": "Repair", "at_most": 3} in table["edges"]  # type: ignore[operator]
    assert "proofs" not in table and len(checked["proofs"]) == len(prove(cycle(3)))  # type: ignore[arg-type]


def test_text_is_what_a_terminal_gets_unasked() -> None:
    assert plusone("graph").out == plusone("graph", "--format", "text").out


def test_every_claim_is_printed_with_its_proof() -> None:
    done = plusone("graph", "--check")
    assert (done.status, done.err) == (0, "")
    for proof in prove(cycle(3)):
        assert f"holds  {proof.claim}\n       {proof.how}\n" in done.out
    assert "commit is reached only through decide with Approve" in done.out
    assert "fix 3," in done.out.splitlines()[-1]


def test_the_configured_number_of_repairs_is_drawn(tmp_path: Path) -> None:
    written(tmp_path, with_lines("cycle", "repairs = 1"))
    assert "Repair (at most 1)" in plusone("graph").out
    assert "fix 1," in plusone("graph", "--check").out.splitlines()[-1]


def test_the_worst_case_is_printed_in_calls_tokens_money_and_minutes(tmp_path: Path) -> None:
    written(tmp_path, with_lines("budget", "minutes = 40", "usd_per_cycle = 1.5"))
    (line,) = [one for one in plusone("graph", "--check").out.splitlines() if one.startswith("as configured: ")]
    assert "80 model calls, 3000000 tokens, 1.50 USD, 40 minutes, a last node of 19, pictures of 5; " in line
    assert line.endswith("; systemd ends it after 66")
    written(tmp_path, with_lines("budget", 'usd_per_cycle = "none"'))
    assert "no cap on money" in plusone("graph", "--check").out


def test_a_configuration_that_is_not_sound_is_said(tmp_path: Path) -> None:
    written(tmp_path, with_lines("cycle", "repair = 1"))
    assert "cycle.repair: unknown key" in complaint(plusone("graph"), 78)
