"""`plusone replay`: recorded cycles of every kind agree with themselves, and a record that was touched does not."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.commands import Done, Fired, complaint, contents, fired, plusone

Make = Callable[[str], Fired]


@pytest.fixture
def cycle(tmp_path_factory: pytest.TempPathFactory) -> Make:
    return lambda kind: fired(kind, tmp_path_factory)


def replayed(site: Fired, what: str | Path | None = None, *more: str) -> Done:
    return plusone("replay", what or str(site.report["cycle"]), "--config", site.config, *more)


@pytest.mark.parametrize("kind", ["committed", "gate-repaired", "declined", "not-converged", "dry-run", "lost-race"])
def test_a_recorded_cycle_replays_to_the_same(kind: str, cycle: Make) -> None:
    site = cycle(kind)
    before = contents(site.folder / "remote.git", site.folder / "checkout", site.state / "cycles")
    done = replayed(site, None, "--json")
    assert (done.status, done.err) == (0, ""), done
    assert set(done.object) == {"schema_version", "differences", "report"}
    assert (done.object["schema_version"], done.object["differences"]) == (1, [])
    seen, was = done.object["report"], site.report
    assert isinstance(seen, dict)
    assert [seen[key] for key in ("outcome", "path", "tree", "commit")] == [
        was[key] for key in ("outcome", "path", "tree", "commit")
    ]
    assert contents(site.folder / "remote.git", site.folder / "checkout", site.state / "cycles") == before
    assert not list(site.state.glob("replay-*"))


def test_the_kinds_are_what_they_are_named_for(cycle: Make) -> None:
    assert cycle("not-converged").report["stopped_by"] == "decide→fix"
    assert str(cycle("dry-run").report["reason"]).startswith("dry run: would commit")
    assert str(cycle("lost-race").report["reason"]).startswith("lost the race")
    assert cycle("lost-race").report["outcome"] == "reverted"


def tampered(site: Fired, folder: Path, old: str, new: str) -> Path:
    text = site.recording.read_text(encoding="ascii")
    assert old in text
    folder.joinpath("touched.jsonl").write_text(text.replace(old, new), encoding="ascii")
    return folder / "touched.jsonl"


def test_an_answer_that_was_changed_is_a_difference_by_name(cycle: Make, tmp_path: Path) -> None:
    site = cycle("committed")
    done = replayed(site, tampered(site, tmp_path, "Gannet Rock", "Gannet Reef"))
    assert done.status == 1
    names = [line.split(" was ")[0] for line in done.out.splitlines()]
    assert "tree" in names and "commit" in names
    assert f"tree was {site.report['tree']}, is now " in done.out


def test_a_recording_without_an_end_is_refused(cycle: Make, tmp_path: Path) -> None:
    site, cut = cycle("committed"), tmp_path / "cut.jsonl"
    cut.write_text("".join(site.recording.read_text().splitlines(keepends=True)[:-1]))
    assert "the recording has no end" in complaint(replayed(site, cut), 78)


@pytest.mark.parametrize(
    ("line", "text", "says"),
    [
        (0, "{}\n", ":1: this is no recording of ours"),
        (1, '{"node": 7}\n', ":2: "),
        (2, "no JSON\n", ":3: "),
    ],
)
def test_a_malformed_recording_is_named_with_its_line(
    line: int, text: str, says: str, cycle: Make, tmp_path: Path
) -> None:
    site, file = cycle("committed"), tmp_path / "bad.jsonl"
    lines = site.recording.read_text().splitlines(keepends=True)
    file.write_text("".join([*lines[:line], text, *lines[line + 1 :]]))
    assert f"{file}{says}" in complaint(replayed(site, file), 78)


def test_a_header_that_holds_no_ready_is_named_with_its_line(cycle: Make, tmp_path: Path) -> None:
    site, file = cycle("committed"), tmp_path / "bad.jsonl"
    first, *rest = site.recording.read_text().splitlines(keepends=True)
    header = {**json.loads(first), "ready": {"cycle": 3}}
    file.write_text("".join([json.dumps(header) + "\n", *rest]))
    assert f"{file}:1: " in complaint(replayed(site, file), 78)


def test_a_cycle_that_asked_no_model_has_nothing_to_replay(cycle: Make, tmp_path: Path) -> None:
    site = cycle("committed").copied(tmp_path / "site")
    assert plusone("run", "--config", site.config, "--model", "script:nowhere").status == 78
    assert plusone("run", "--config", site.config).out.startswith("skipped: ")
    assert "has no recording" in complaint(replayed(site, "last"), 78)


def test_what_a_cycle_knew_may_be_thrown_away_and_is_missed_by_name(cycle: Make, tmp_path: Path) -> None:
    site = cycle("committed").copied(tmp_path / "site")
    for file in (site.state / "cache").iterdir():
        file.unlink()
    assert "no longer holds what the cycle knew" in complaint(replayed(site), 78)


def test_another_configuration_is_a_note_and_no_difference(cycle: Make, tmp_path: Path) -> None:
    site = cycle("declined").copied(tmp_path / "site")
    site.config.write_text(site.config.read_text().replace('quiet_period = "3h"', 'quiet_period = "4h"'))
    done = replayed(site)
    assert (done.status, done.err) == (0, "note: the configuration is not the one that the cycle ran under\n")
    assert done.out == "the same again: reverted, no tree, the same 5 nodes\n"


def test_a_request_that_is_put_in_other_words_is_a_note_and_no_difference(cycle: Make, tmp_path: Path) -> None:
    site = cycle("declined").copied(tmp_path / "site")
    site.config.write_text(site.config.read_text().replace('"tests/**"]', '"tests/**", "more/**"]'))
    done = replayed(site)
    assert done.status == 0 and done.out.startswith("the same again: ")
    assert "note: request 1 of build, visit 1, has drifted:\n" in done.err
    changed = [line for line in done.err.splitlines() if line.startswith(("+", "-")) and line[1:3] not in ("++", "--")]
    assert len(changed) == 2 and "more/**" in changed[1]
