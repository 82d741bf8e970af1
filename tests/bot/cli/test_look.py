"""`plusone runs`, `show` and `status`: what they print, where, and that nothing in it reaches the terminal raw."""

from __future__ import annotations

import re
import shutil
import sqlite3
from pathlib import Path

import pytest

from bot.store.remote import Remote
from bot.store.repository import Store
from tests.support.commands import Fired, complaint, fired, plusone, started


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Fired:
    return fired("gate-repaired", tmp_path_factory)


def test_runs_are_a_line_each(site: Fired) -> None:
    done = plusone("runs", "--config", site.config)
    assert (done.status, done.err, done.out.count("\n")) == (0, "", 1)
    assert done.out.startswith(f"{site.report['cycle']}  committed  added ")


def test_runs_as_an_object_hold_what_run_said(site: Fired) -> None:
    found = plusone("runs", "--config", site.config, "--json").object
    assert set(found) == {"schema_version", "runs"}
    assert isinstance(found["runs"], list) and site.report.items() <= found["runs"][0].items()


@pytest.mark.parametrize("name", ["last", "the id", "its beginning"])
def test_a_cycle_is_found_by_any_of_its_names(name: str, site: Fired) -> None:
    cycle = str(site.report["cycle"])
    done = plusone(
        "show", {"last": "last", "the id": cycle, "its beginning": cycle[:11]}[name], "--config", site.config
    )
    assert (done.status, done.err) == (0, "") and done.out.startswith(cycle)


def test_a_cycle_that_is_not_there_is_refused_with_what_next(site: Fired) -> None:
    said = complaint(plusone("show", "19990101", "--config", site.config), 78)
    assert said == "plusone: no cycle of that name: 19990101; `plusone runs` lists them\n"


def test_the_story_names_nodes_objections_evidence_and_cost(site: Fired) -> None:
    text = plusone("show", "last", "--config", site.config).out
    nodes = [
        line.split()[0] for line in text.split("returned")[1].split("evidence")[0].splitlines()[1:] if line.strip()
    ]
    assert nodes == site.report["path"]
    for part in ("objections of gate (step 5)", "seen: `re` imported but unused", "model calls"):
        assert part in text
    assert re.search(r"\n  routes +\d+\.\d  (cached|asked) +verified \d+", text), text
    assert max(len(line) for line in text.splitlines()) <= 80


def test_the_difference_comes_on_request_and_inside_the_object(site: Fired) -> None:
    plain = plusone("show", "last", "--diff", "--config", site.config)
    assert "\n\ndiff --git a/" in plain.out and "diff --git" not in plusone("show", "last", "--config", site.config).out
    found = plusone("show", "last", "--diff", "--json", "--config", site.config).object
    assert plain.out.endswith(f"{found['diff']}\n")
    assert site.report.items() <= found.items()


def test_a_cycle_without_a_tree_has_no_difference(tmp_path_factory: pytest.TempPathFactory) -> None:
    done = plusone("show", "last", "--diff", "--config", fired("declined", tmp_path_factory).config)
    assert (done.status, done.out.splitlines()[-1]) == (0, "this cycle made no tree")


def test_a_difference_whose_tree_is_gone_is_told_as_that(site: Fired, tmp_path: Path) -> None:
    mine = site.copied(tmp_path / "site")
    shutil.rmtree(mine.state / "store.git")
    said = complaint(plusone("show", "last", "--diff", "--config", mine.config), 78)
    assert str(site.report["tree"])[:12] in said and "without --diff" in said


def test_control_characters_of_a_change_never_reach_the_terminal(site: Fired, tmp_path: Path) -> None:
    mine = site.copied(tmp_path / "site")
    store = Store.open(mine.state / "store.git", Remote(str(mine.folder / "remote.git")))
    base = str(site.report["base"])
    evil = "\x1b]0;owned\x07 \x1b[31mred \u202egnorw\r\n".encode()
    tree = store.write_tree(store.tree_of(base), {"EVIL.md": ("100644", evil)})
    with sqlite3.connect(mine.state / "journal.db") as journal:
        journal.execute("UPDATE run SET tree = ?, reason = ?", (tree, "owned \x1b[31m\u202e"))
    for more in ([], ["--json"]):
        text = plusone("show", "last", "--diff", "--config", mine.config, *more).out
        assert "EVIL.md" in text and "x1b]0;owned" in text
        assert not any(character in text for character in "\x1b\x07\r\u202e")
    listed = plusone("runs", "--config", mine.config).out + plusone("status", "--config", mine.config).out
    assert listed.count("owned") == 2 and not any(character in listed for character in "\x1b\u202e")


def test_status_tells_the_branch_the_day_and_the_last_cycles(site: Fired) -> None:
    done = plusone("status", "--config", site.config)
    assert (done.status, done.err) == (0, "")
    first, day, last = done.out.splitlines()
    assert first == "harbour-lights, branch main"
    assert f"{site.report['model_calls']} model calls, 0.0000 USD" in day
    assert last.startswith(f"{site.report['cycle']} ")


def test_status_is_one_object_with_every_key(site: Fired) -> None:
    found = plusone("status", "--config", site.config, "--json").object
    assert set(found) == {
        "schema_version", "site", "branch", "paused", "failures_in_a_row", "breaker_open", "waiting", "unfinished",
        "day", "spent", "caps", "sandbox", "undelivered", "unshown", "untidy", "runs",
    }  # fmt: skip
    assert (found["paused"], found["breaker_open"], found["unfinished"]) == (None, False, [])


def test_no_colour_where_none_is_wanted(site: Fired) -> None:
    for command in ("--help", "runs", "graph", "show last", "fly"):
        done = started(*command.split(), cwd=site.folder, NO_COLOR="1")
        assert "\x1b" not in done.out + done.err


def test_a_journal_of_another_program_is_refused_and_kept(site: Fired, tmp_path: Path) -> None:
    mine = site.copied(tmp_path / "site")
    for leftover in mine.state.glob("journal.db-*"):
        leftover.unlink()
    (mine.state / "journal.db").write_bytes(b"not a database, but longer than a header " * 9)
    for command in ("runs", "status", "run"):
        assert "journal.db" in complaint(plusone(command, "--config", mine.config), 1)
    assert (mine.state / "journal.db").read_bytes().startswith(b"not a database")
