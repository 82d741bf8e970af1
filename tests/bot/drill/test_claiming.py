"""Bad entries on made-up sites: everything but the one fault is as the siblings have it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.drill.added import Added
from bot.drill.bad import BAD
from bot.drill.drill import Drill, NotHere
from bot.sources.front import split
from bot.sources.structure import settled
from guards.fields_once import REPEATED
from tests.bot.drill.test_entry import SHELVES
from tests.support.shelf import Shelf

DRILLS = {drill.name: drill for drill in BAD}


def played(drill: Drill, shelf: Shelf) -> Added:
    """What the scripted builder leaves behind, and its claim."""
    files: dict[str, str] = {}
    for turn in drill.compose(shelf.scene).build:
        for block in turn:
            given = block["input"]
            assert isinstance(given, dict)
            if "file_text" in given:
                files[given["path"].removeprefix("/w/")] = given["file_text"]
            elif "kind" in given:
                return Added(files, given["kind"], given["key"], tuple(given["routes"]), (), given["summary"])
    raise AssertionError("nothing was handed in")


@pytest.mark.parametrize(
    ("name", "shelf", "codes"),
    [
        ("adds-two-entries", "front matter", {"too-many"}),
        ("adds-two-entries", "yaml", {"too-many"}),
        ("adds-two-entries", "toml", {"too-many"}),
        ("claims-another-key", "json", {"claim-key"}),
        ("claims-another-key", "calls", {"claim-key"}),
        ("adds-a-synonym", "yaml", {"duplicate-name"}),
    ],
)
def test_a_bad_entry_has_one_fault(name: str, shelf: str, codes: set[str], tmp_path: Path) -> None:
    made = Shelf(tmp_path, *SHELVES[shelf])
    assert {one.code for one in made.objections(played(DRILLS[name], made))} == codes


def test_a_field_of_front_matter_stands_twice(tmp_path: Path) -> None:
    made = Shelf(tmp_path, *SHELVES["front matter"])
    (text,) = played(DRILLS["says-a-field-twice"], made).files.values()
    assert settled(split(text)[0])[REPEATED] == ["title"]  # type: ignore[index]


@pytest.mark.parametrize("name", ["says-a-field-twice", "dates-an-entry-ahead", "takes-an-insecure-address"])
def test_a_drill_that_finds_nothing_of_its_kind_says_so(name: str, tmp_path: Path) -> None:
    with pytest.raises(NotHere):
        DRILLS[name].compose(Shelf(tmp_path, *SHELVES["calls"]).scene)


def test_every_bad_drill_has_a_name_of_its_own_and_a_check_that_it_tries() -> None:
    assert len(DRILLS) == len(BAD)
    assert [drill.name for drill in BAD if not drill.checks or not drill.story or drill.good] == []
