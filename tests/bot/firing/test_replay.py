"""What a replay compares, reads and leaves behind; whole cycles are replayed in tests/bot/cli/test_replay.py."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.base.cache import FolderCache
from bot.errors import ScriptError
from bot.firing.replay import COMPARED, Layered, Replayed, replay, spelt
from bot.folders import Folders
from bot.machine.environment import Environment
from bot.settings import load
from tests.support.commands import Fired, fired


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Fired:
    """A cycle whose builder declined: the shortest that has a recording."""
    return fired("declined", tmp_path_factory)


def again(site: Fired, file: Path | None = None) -> Replayed:
    settings = load(site.config)
    folders = Folders.of(site.state.parent, site.state.name)
    return replay(file or site.recording, settings, folders, Environment(site.state.parent))


def with_end(site: Fired, folder: Path, change: Callable[[dict[str, object]], None]) -> Path:
    """The recording with another end."""
    *lines, last = site.recording.read_text().splitlines()
    end = json.loads(last)["end"]
    change(end)
    (folder / "other.jsonl").write_text("\n".join([*lines, json.dumps({"end": end})]) + "\n")
    return folder / "other.jsonl"


def test_the_same_cycle_has_no_differences_and_no_notes(site: Fired) -> None:
    found = again(site)
    assert (found.differences, found.notes) == ((), ())
    assert found.report["path"] == site.report["path"]


@pytest.mark.parametrize("name", COMPARED)
def test_each_fact_that_is_compared_makes_a_difference_of_its_own(name: str, site: Fired, tmp_path: Path) -> None:
    file = with_end(site, tmp_path, lambda end: end.update({name: ["gate", "fix"] if name == "path" else "other"}))
    (difference,) = again(site, file).differences
    was = "gate → fix" if name == "path" else "other"
    assert difference.startswith(f"{name} was {was}, is now ")


def test_a_cycle_that_asks_for_more_than_was_recorded_is_a_difference(site: Fired, tmp_path: Path) -> None:
    first, *_, last = site.recording.read_text().splitlines(keepends=True)
    (tmp_path / "short.jsonl").write_text(first + last)
    found = again(site, tmp_path / "short.jsonl")
    assert found.report["outcome"] == "failed" and "outcome was reverted, is now failed" in found.differences


def test_nothing_is_left_behind_and_nothing_of_the_sites_is_touched(site: Fired) -> None:
    before = sorted(str(path) for path in site.state.rglob("*"))
    journal = (site.state / "journal.db").read_bytes()
    again(site)
    assert sorted(str(path) for path in site.state.rglob("*")) == before
    assert (site.state / "journal.db").read_bytes() == journal


def test_a_state_without_the_store_or_what_was_known_says_so(site: Fired, tmp_path: Path) -> None:
    empty = Folders.of(tmp_path, "empty")
    empty.create()
    with pytest.raises(ScriptError, match="no longer holds what the cycle knew"):
        replay(site.recording, load(site.config), empty, Environment(tmp_path))


def test_the_cache_reads_through_and_writes_to_its_own(tmp_path: Path) -> None:
    own, below = FolderCache(tmp_path / "own"), FolderCache(tmp_path / "below")
    for folder in ("own", "below"):
        (tmp_path / folder).mkdir()
    below.put("a", b"measured")
    layered = Layered(own, below)
    layered.put("b", b"new")
    assert (layered.get("a"), layered.get("b"), layered.get("c")) == (b"measured", b"new", None)
    assert below.get("b") is None
    layered.put("a", b"mine")
    assert (layered.get("a"), below.get("a")) == (b"mine", b"measured")


def test_a_compared_value_is_spelt_for_people() -> None:
    assert [spelt(["a", "b"]), spelt(None), spelt("x")] == ["a → b", "None", "x"]
