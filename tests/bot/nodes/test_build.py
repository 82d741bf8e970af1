"""build: where the agent starts, what it is told, and what its ending becomes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bot.model import Built
from bot.nodes.build import Build
from bot.workspace.folder import FolderWorkspace
from tests.support.repository import scene
from tests.support.values import CLAIM, ready
from tests.support.visitor import Said, Visitor
from tests.support.workshop import workshop


def test_the_agent_finds_base_and_nothing_that_an_earlier_visit_left(tmp_path: Path) -> None:
    shop = workshop(tmp_path)
    shop.work("app.py", "print('half done')\n")
    (shop.root / "stray.txt").write_text("left behind")
    seen: dict[str, str] = {}
    agent = Visitor(lambda: seen.update({one.name: one.read_text() for one in shop.root.glob("*.*") if one.is_file()}))
    Build(agent, shop.workspace, lambda _: ("", "")).run(shop.ready)
    assert seen["app.py"] == "print('site')\n"
    assert "stray.txt" not in seen


def test_the_brief_of_this_cycle_is_what_the_agent_is_told(tmp_path: Path) -> None:
    shop, agent = workshop(tmp_path), Visitor()
    Build(agent, shop.workspace, lambda ready: ("system", f"task of {ready.cycle}")).run(shop.ready)
    assert agent.heard == [("build", "system", f"task of {ready().cycle}", str(shop.root))]


@pytest.mark.parametrize(
    ("said", "built"),
    [
        (Said(CLAIM), Built(CLAIM)),
        (Said(None, "nothing worth adding"), Built(None, "nothing worth adding")),
        (Said(), Built(None)),
    ],
)
def test_what_the_agent_says_is_passed_on_as_a_claim(tmp_path: Path, said: Said, built: Built) -> None:
    shop = workshop(tmp_path)
    assert Build(Visitor(said=said), shop.workspace, lambda _: ("", "")).run(shop.ready) == built


def test_the_workspace_is_made_where_there_was_none(tmp_path: Path) -> None:
    here = scene(tmp_path)
    workspace = FolderWorkspace(here.store, tmp_path / "new" / "workspace")
    node = Build(Visitor(), workspace, lambda _: ("", ""))
    node.run(replace(ready(), base_tree=here.base_tree))
    assert (workspace.root / "pages/one.html").read_text() == "<p>one</p>\n"
