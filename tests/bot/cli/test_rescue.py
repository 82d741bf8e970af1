"""`plusone rescue` as an operator types it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.commands import Done, Fired, complaint, fired, plusone
from tests.support.repository import branch_of


@pytest.fixture
def site(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Fired:
    return fired("lost-race", tmp_path_factory).copied(tmp_path / "site")


def rescue(site: Fired, *words: str | Path) -> Done:
    return plusone("rescue", *words, "--config", site.config)


def test_the_list_tells_why_each_is_kept(site: Fired) -> None:
    found = rescue(site, "list", "--json").object["kept"]
    assert isinstance(found, list)
    assert [one["ref"].split("/")[0] for one in found] == ["rescue", "snapshots"]
    assert {one["cycle"] for one in found} == {site.report["cycle"]}
    assert all(one["reason"].startswith("reverted: lost the race") for one in found)
    text = rescue(site, "list").out
    assert f"rescue/{site.report['cycle']}\n" in text and max(map(len, text.splitlines())) <= 80


def test_it_is_shown_and_comes_back_as_a_folder_or_a_branch(site: Fired, tmp_path: Path) -> None:
    cycle = str(site.report["cycle"])
    assert "diff --git a/src/lights/content/articles.py" in rescue(site, "show", cycle).out
    told = rescue(site, "show", cycle, "--json").object
    assert told["cycle"] == cycle and str(told["diff"]) == rescue(site, "show", cycle).out
    assert rescue(site, "restore", cycle, "--to", tmp_path / "back").status == 0
    assert (tmp_path / "back/src/lights/app.py").exists()
    done = rescue(site, "restore", cycle, "--branch", "plusone/look")
    assert done.status == 0 and branch_of(site.folder / "remote.git", "plusone/look")[:12] in done.out


def test_the_branch_that_cycles_push_to_is_never_named(site: Fired) -> None:
    tip = branch_of(site.folder / "remote.git")
    said = complaint(rescue(site, "restore", str(site.report["cycle"]), "--branch", "main"), 78)
    assert "main is the branch that cycles push to" in said
    assert branch_of(site.folder / "remote.git") == tip


@pytest.mark.parametrize("more", [(), ("--to", "x", "--branch", "y")])
def test_one_place_must_be_said(site: Fired, more: tuple[str, ...]) -> None:
    assert "--to FOLDER or --branch NAME" in complaint(rescue(site, "restore", "x", *more), 78)
