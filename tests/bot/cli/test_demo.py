"""`plusone demo`: one cycle on a site that comes along, in one folder."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from bot.cli import demo as command
from bot.demo import ENDINGS, ending
from tests.support.commands import complaint, plusone, started


def test_the_demo_commits_and_says_where_to_look(tmp_path: Path) -> None:
    folder = tmp_path / "kept"
    done = started("demo", "--keep", folder, cwd=tmp_path)
    assert done.status == 0, done
    assert done.err.startswith("a bare remote, a checkout of it and plusone.toml in ")
    assert done.out.startswith("committed: added article ")
    commands = done.out.partition("look at it:\n")[2].splitlines()
    assert [line.split()[0].rpartition("/")[2] for line in commands] == ["git", "plusone", "plusone"]
    for line in commands[:2]:
        seen = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert seen.returncode in (0, 127), seen  # 127: this shell does not find the program by its name
    log = ["/usr/bin/git", "-C", str(folder / "remote.git"), "log", "-1", "--format=%H %T%n%B", "main"]
    told = subprocess.run(log, capture_output=True, text=True, check=True).stdout
    assert all(line.split()[1] in told for line in done.out.splitlines() if line.startswith(("  tree ", "  commit ")))
    assert {path.name for path in folder.iterdir()} == {"remote.git", "checkout", "plusone.toml", "state"}


@pytest.mark.parametrize("more", [[], ["--all"]])
def test_a_folder_that_holds_something_is_left_alone(more: list[str], tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    said = complaint(plusone("demo", "--keep", tmp_path, *more), 78)
    assert "is not an empty folder, so the demo leaves it alone" in said
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_all_endings_are_a_line_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.demo.ENDINGS", (ending("declined"), ending("skipped")))
    done = plusone("demo", "--all", "--keep", tmp_path / "kept")
    assert done.status == 0, done
    first, second, _, where = done.out.splitlines()
    assert first.startswith("declined           reverted at scope ") and "NOT AS MEANT" not in done.out
    assert second.startswith("skipped            skipped at precheck ")
    assert where == f"all of it lies in {tmp_path}/kept"
    assert {path.name for path in (tmp_path / "kept").iterdir()} == {"declined", "skipped"}


def test_an_ending_that_is_not_the_one_that_was_meant_is_1(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_row", lambda *_: False)
    done = plusone("demo", "--all", "--keep", tmp_path / "kept")
    assert done.status == 1 and len(ENDINGS) > 1
