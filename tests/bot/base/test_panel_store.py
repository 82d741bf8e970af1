"""The guards over a real store: which facts they are given, and what follows from them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.base.known import Known
from bot.base.panel import Declared, GuardPanel
from bot.model import Change, Claim, Holdings, Limits, Objection, Ready, Snapshot
from tests.support import values
from tests.support.holdings import ARTICLE, BASE, FEATURE, holdings, registry
from tests.support.repository import Scene, scene

CANDIDATE = holdings(registry("articles", "a", "b", "harbour lights"), registry("projects", "p"))
CLAIM = Claim("article", "harbour lights", "Add it")
TOKEN = "correct-horse-battery"


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def change(here: Scene, files: dict[str, bytes], *bots: str) -> Snapshot:
    """The files added to base; those named last are the bot's."""
    tree = here.store.write_tree(here.base_tree, {path: ("100644", content) for path, content in files.items()})
    changes = tuple(
        Change(path, "added", size=len(content), by="bot" if path in bots else "agent")
        for path, content in files.items()
    )
    return Snapshot(here.base, here.base_tree, tree, CLAIM, changes)


def panel(here: Scene, known: dict[str, str] | None = None, limits: Limits | None = None) -> GuardPanel:
    def knows(ready: Ready) -> Known:
        assert ready == values.ready()
        return Known(known or {}, ())

    return GuardPanel(here.store, Declared((ARTICLE, FEATURE), limits or Limits(), {}), knows, (TOKEN,))


def told(guards: GuardPanel, snapshot: Snapshot, candidate: Holdings = CANDIDATE) -> dict[str, Objection]:
    return {one.code: one for one in guards.objections(values.ready(), snapshot, BASE, candidate)}


def test_one_new_article_in_a_readable_file_meets_no_objection(here: Scene) -> None:
    assert told(panel(here), change(here, {"articles.py": b"lights = 1\n"})) == {}


def test_what_was_added_is_named_by_its_ledger_key(here: Scene) -> None:
    snapshot = change(here, {"articles.py": b"lights = 1\n"})
    assert panel(here).adds(values.ready(), snapshot, BASE, CANDIDATE) == ("articles/harbour%20lights",)


def test_all_guards_run_and_are_told_together(here: Scene) -> None:
    snapshot = change(here, {"articles.py": b"x = 1\n" * 20, "key.py": f"t = '{TOKEN}'\n".encode()})
    found = told(panel(here, {"articles/harbour%20lights": "committed"}, Limits(max_added_lines=10)), snapshot)
    assert {"too-many-lines", "secret"} < found.keys()
    assert any("articles/harbour%20lights" in str(one) or "harbour lights" in str(one) for one in found.values())
    assert TOKEN not in str(found), "a secret is never quoted"


@pytest.mark.parametrize("content", [b"\xff\xfe\x00", b"text\0more"])
def test_bytes_that_are_no_text_are_seen_as_binary(here: Scene, content: bytes) -> None:
    found = told(panel(here), change(here, {"blob.dat": content}))
    assert found["binary-file"].where == "blob.dat"


def test_the_bots_own_files_are_never_held_against_the_change(here: Scene) -> None:
    snapshot = change(here, {"messages.mo": b"\xde\x12\x04\x95", "articles.py": b"x = 1\n"}, "messages.mo")
    assert told(panel(here), snapshot) == {}


def test_a_deleted_file_is_not_looked_into(here: Scene) -> None:
    tree = here.store.write_tree(here.base_tree, {"app.py": None, "a.py": ("100644", b"x = 1\n")})
    deleted = (Change("a.py", "added", size=6), Change("app.py", "deleted"))
    assert "binary-file" not in told(panel(here), Snapshot(here.base, here.base_tree, tree, CLAIM, deleted))


def test_two_new_entries_are_no_single_addition(here: Scene) -> None:
    both = holdings(registry("articles", "a", "b", "harbour lights", "d"), registry("projects", "p"))
    assert told(panel(here), change(here, {"articles.py": b"x = 1\n"}), both)


def test_the_claim_is_compared_with_what_is_found(here: Scene) -> None:
    snapshot = change(here, {"articles.py": b"x = 1\n"})
    assert told(panel(here), replace(snapshot, claim=replace(CLAIM, key="another")))
