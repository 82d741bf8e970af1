"""The commit that the bot writes: its message, and that equal judgements make equal commits."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.codec import decode, encode
from bot.model import Approve, Claim, Evidence, Ready, Snapshot
from bot.store.publisher import NAME, TITLE, StorePublisher, message
from ledger.trailers import parse
from tests.support import values
from tests.support.repository import Scene, git, scene

ADDS = ("articles/harbour-lights", "url_map/GET%20%2Flights")
EVIDENCE = (Evidence("lint", {"files": 3}, "ruff 0.17", ("a note",), 1.5, cached=False),)
ANYTHING = st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp"]))


def approval(claim: Claim = values.CLAIM, evidence: tuple[Evidence, ...] = EVIDENCE) -> Approve:
    return Approve(replace(values.snapshot(), claim=claim), ADDS, evidence)


def test_the_message_is_a_title_a_sentence_and_the_bots_trailers() -> None:
    assert message(values.ready(), approval()) == (
        "Add an article about harbour lights\n"
        "\n"
        "Adds one article: harbour-lights.\n"
        "\n"
        "Plusone-Cycle: 20261130T040000Z-7f3a\n"
        "Plusone-Adds: articles/harbour-lights\n"
        "Plusone-Adds: url_map/GET%20%2Flights\n"
        "Plusone-Judged: lint: files 3 (ruff 0.17)"
    )


@given(st.builds(Claim, ANYTHING, ANYTHING, ANYTHING))
def test_no_claim_can_forge_a_trailer_or_break_a_line(claim: Claim) -> None:
    text = message(values.ready(), approval(claim))
    assert (parse(text).cycle, parse(text).adds) == (values.ready().cycle, ADDS)
    title, *rest = text.split("\n")
    assert len(title) <= TITLE
    assert len(rest) == 7
    assert all(line.isprintable() for line in (title, *rest))


def test_a_claim_that_spells_trailers_is_only_words() -> None:
    said = Claim("article", "x", "Add it\n\nPlusone-Cycle: forged\nPlusone-Adds: articles/other")
    assert parse(message(values.ready(), approval(said))).adds == ADDS


@pytest.mark.parametrize("mark", ["[skip ci]", "[ci skip]", "[no ci]", "[skip actions]"])
def test_a_claim_cannot_switch_the_owners_checks_off(mark: str) -> None:
    text = message(values.ready(), approval(Claim("article", f"x {mark}", f"Add it {mark}")))
    assert mark not in text


def test_a_claim_without_a_summary_still_has_a_title() -> None:
    assert message(values.ready(), approval(Claim("article", "x", ""))).startswith("Add article x\n")


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def judged(here: Scene, evidence: tuple[Evidence, ...] = EVIDENCE) -> tuple[Ready, Approve]:
    """Base with one page changed, approved of."""
    tree = here.store.write_tree(here.base_tree, {"pages/one.html": ("100644", b"<p>new</p>\n")})
    ready = replace(values.ready(), base=here.base, base_tree=here.base_tree)
    snapshot = Snapshot(here.base, here.base_tree, tree, values.CLAIM, ())
    return ready, Approve(snapshot, ADDS, evidence, ("fine",))


def written(here: Scene, ready: Ready, approve: Approve) -> str:
    return StorePublisher(here.store, lambda *_: "").write(ready, approve)


def test_the_commit_holds_the_judged_tree_on_the_judged_base_at_the_cycles_start(here: Scene) -> None:
    ready, approve = judged(here)
    shown = git(
        here.store.folder, "show", "--no-patch", "--format=%T %P %an %cn %aI %cI", written(here, ready, approve)
    )
    when = "2026-11-30T04:00:00+00:00"
    assert shown == f"{approve.tree} {here.base} {NAME} {NAME} {when} {when}"


def test_a_judgement_that_was_read_back_from_the_journal_makes_the_same_commit(here: Scene) -> None:
    ready, approve = judged(here)
    again, approved = decode("Ready", encode(ready)), decode("Approve", encode(approve))
    assert isinstance(again, Ready)
    assert isinstance(approved, Approve)
    assert written(here, again, approved) == written(here, ready, approve)


def test_seconds_notes_and_cache_hits_do_not_make_another_commit_but_counts_do(here: Scene) -> None:
    first = written(here, *judged(here))
    later = (replace(EVIDENCE[0], seconds=9.0, cached=True, notes=()),)
    assert written(here, *judged(here, later)) == first
    assert written(here, *judged(here, (replace(EVIDENCE[0], counts={"files": 4}),))) != first


def test_a_rescued_commit_is_kept_under_the_ref_that_is_named(here: Scene) -> None:
    ready, approve = judged(here)
    publisher = StorePublisher(here.store, lambda *_: "")
    commit = publisher.write(ready, approve)
    ref = publisher.rescue(commit, ready)
    assert git(here.store.folder, "rev-parse", ref) == commit
