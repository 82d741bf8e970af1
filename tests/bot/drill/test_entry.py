"""One more entry of a made-up registry, in every spelling: it is like its siblings, and nothing else changes."""

from __future__ import annotations

import difflib
import json
from pathlib import Path

import pytest

from bot.drill.draft import Wish
from bot.drill.drill import NotHere
from bot.drill.entry import entry
from bot.drill.scene import Scene
from tests.support.shelf import Shelf

LONG = "The lamp was lit at four, trimmed at nine and put out at eight in the morning."
LATER = "Nobody had told the harbour master, so that he learned of it from the newspaper."
PYTHON = {"source": "python", "object": "shop:THINGS", "key": "slug"}
CALLS = f"""\
from dataclasses import dataclass


@dataclass
class Thing:
    slug: str
    title: str
    year: int = 1900
    text: str = ""


THINGS = (
    Thing("fog-bell", "Fog Bell", 1871, "{LONG}"),
    Thing(
        "long-mole",
        title="Long Mole",  # the English name
        text="The mole is long, "
        "and it was longer before the winter of 1911 took its head away.",
    ),
)
"""
DICTS = f'''\
THINGS = [
    {{
        "slug": "fog-bell",
        "title": {{"en": "Fog bell", "zh": "雾钟"}},
        "body": """
            {LONG}

            {LATER}
        """,
        "tags": ["bells", "fog"],
    }},
    {{"slug": "long-mole", "title": {{"en": "Long mole", "zh": "长堤"}},
     "body": "{LATER}", "tags": []}}
]
AFTER = 1
'''
MAPPED = f"THINGS = {{'Fog Bell': {{'note': '{LONG}'}}, 'Long Mole': {{'note': '{LATER}'}}}}\n"
GROWN = f"""\
def note(text):
    return text.strip()


THINGS = []
THINGS.append({{"slug": "fog_bell", "note": note("{LONG}")}})
THINGS.append(dict(slug="long_mole", note=note("{LATER}")))
LAST = len(THINGS)
"""
NAMED = f'first = {{"slug": "fog-bell", "note": "{LONG}"}}\nTHINGS = [first, {{"slug": "ü-b", "note": "{LATER}"}}]\n'
YAML = f"""\
# Harbours
harbours:
  - id: fog-bell   # the first
    title: Fog bell
    note: |
      {LONG}
      {LATER}
    built: 1871-05-01

  - id: long-mole
    title: 'Long mole'
    note: >-
      {LATER}
    built: 1902-01-01

# The end
closed: []
"""
FLOW = json.dumps(
    {"harbours": [{"id": "L-007", "n": 1, "note": LONG}, {"id": "L-008", "n": 2, "note": LATER}]}, indent=1
)
KEYED = f"fog-bell:\n  title: Fog bell\n  note: {LONG}\nlong-mole:\n  title: Long mole\n  note: {LATER}\n"
TOML = f"""\
name = "x"

[[harbours]]
id = "fog-bell"
note = "{LONG}"
built = 1871-05-01

[[harbours]]
id = "long-mole"
note = \"\"\"
{LATER}
\"\"\"
built = 1902-01-01

[other]
a = 1
"""
TABLES = f'[harbours.fog-bell]\nnote = "{LONG}"\n\n[harbours.long-mole]\nnote = "{LATER}"\n'
MARKED = f"---\ntitle: Fog bell\ndate: 2020-01-02\ntags: [fog, bells]\n---\n{LONG}\n\n{LATER}\n"
PLUSSED = f'+++\ntitle = "Long mole"\ndate = 2021-01-02\n+++\n{LATER}\n'
FILES = {"source": "files", "glob": "things/*.md", "key": "stem"}
TITLED = {"source": "files", "glob": "things/*.md", "key": "title"}


def data(file: str, at: str = "harbours", key: str = "id") -> dict[str, str]:
    return {"source": "data", "file": file, "key": key, **({"at": at} if at else {})}


SHELVES = {
    "calls": ({"shop.py": CALLS}, PYTHON),
    "dicts": ({"shop.py": DICTS}, PYTHON),
    "one mapping": ({"shop.py": MAPPED}, {**PYTHON, "key": "name"}),
    "appended": ({"shop.py": GROWN}, PYTHON),
    "names": ({"shop.py": NAMED}, PYTHON),
    "yaml": ({"h.yaml": YAML}, data("h.yaml")),
    "json": ({"h.json": FLOW}, data("h.json")),
    "json with tabs": ({"h.json": FLOW.replace("\n ", "\n\t")}, data("h.json")),
    "json in one line": ({"h.json": json.dumps(json.loads(FLOW))}, data("h.json")),
    "yaml by key": ({"h.yaml": KEYED}, data("h.yaml", "", "id")),
    "toml": ({"h.toml": TOML}, data("h.toml")),
    "toml by key": ({"h.toml": TABLES}, data("h.toml")),
    "front matter": ({"things/2020-01-02-fog-bell.md": MARKED, "things/2021-01-02-long-mole.md": PLUSSED}, FILES),
    "front matter, keyed by title": ({"things/fog-bell.md": MARKED, "things/long-mole.md": PLUSSED}, TITLED),
    "bare files": ({"things/a-b.md": LONG, "things/c-d.md": LATER}, FILES),
}


@pytest.fixture(params=SHELVES)
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    files, said = SHELVES[request.param]
    return Shelf(tmp_path, files, said)


def lost(before: str, after: str) -> list[str]:
    return [line for line in difflib.ndiff(before.splitlines(), after.splitlines()) if line.startswith("- ")]


@pytest.mark.parametrize("wish", [Wish(), Wish(1, at=0), Wish(2, short=True)], ids=["last", "first", "short"])
def test_the_guards_have_no_objection_to_one_more_entry(shelf: Shelf, wish: Wish) -> None:
    added = shelf.added(wish)
    before, after = (one.holdings().registry("things").entries for one in (shelf, shelf.with_files(added)))
    assert {one.key for one in after} - {one.key for one in before} == {added.key}
    assert len(after) == len(before) + 1
    assert shelf.objections(added) == []


def test_no_line_is_lost_but_the_one_that_a_comma_is_put_to(shelf: Shelf) -> None:
    ((path, text),) = shelf.added().files.items()
    gone = lost(shelf.files.get(path, ""), text)
    assert len(gone) <= 1
    assert all(line[2:] in text or line[2:].rstrip("]}") in text for line in gone)


def test_a_second_entry_may_go_with_the_first(shelf: Shelf) -> None:
    first = shelf.added()
    both = shelf.added(Wish(1), first)
    assert {"too-many"} == {one.code for one in shelf.objections(both)}


def test_what_is_asked_for_is_said(shelf: Shelf) -> None:
    first = json.loads(shelf.holdings().registry("things").entries[0].content)
    field = next(name for name in ("text", "body", "note", "<body>") if name in first)
    added = shelf.added(Wish(key="a-key-of-ours", values={field: 'Some "quoted" words, and a \\ in them.'}))
    held = shelf.with_files(added).holdings().registry("things").entries
    (mine,) = [one for one in held if one.key == "a-key-of-ours"]
    assert json.loads(mine.content)[field].strip() == 'Some "quoted" words, and a \\ in them.'


def test_texts_are_in_the_language_of_their_field(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *SHELVES["dicts"])
    added = shelf.added()
    mine = json.loads(shelf.with_files(added).holdings().registry("things").entries[-1].content)
    assert mine["title"] == {"en": "Paper maps", "zh": "纸质地图"}
    assert mine["slug"] == "paper-maps" == added.key and added.routes == ("/things/paper-maps",)


def test_keys_that_count_go_on_counting(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *SHELVES["json"])
    added = shelf.added()
    mine = json.loads(shelf.with_files(added).holdings().registry("things").entries[-1].content)
    assert (added.key, mine["n"]) == ("L-009", 3)


def test_fields_may_be_turned_round(tmp_path: Path) -> None:
    shelf = Shelf(tmp_path, *SHELVES["dicts"])
    added = shelf.added(Wish(turned=True))
    assert '{"title": {"en": "Paper maps", "zh": "纸质地图"}, "slug": "paper-maps",' in added.files["shop.py"]
    assert shelf.objections(added) == []


def test_what_no_text_spells_out_is_not_added_to(tmp_path: Path) -> None:
    text = "THINGS = [{'slug': f'a-{n}', 'note': 'x'} for n in range(3)]\n"
    with pytest.raises(NotHere, match="does not spell out"):
        Shelf(tmp_path, {"shop.py": text}, PYTHON).added()


@pytest.mark.parametrize("text", ["harbours:\n- id: a\n- &x {id: b, <<: *y}\n", "harbours: [{id: a}]\n--- 1\n--- 2\n"])
def test_what_cannot_be_written_is_left_out_with_the_reason(text: str, tmp_path: Path) -> None:
    sound = Shelf(tmp_path, {"h.yaml": "harbours: [{id: a}]\n"}, data("h.yaml")).scene
    odd = Scene(sound.settings, sound.entries, sound.holdings, lambda _: text.encode())
    with pytest.raises(NotHere, match="cannot write"):
        entry(odd, sound.sources[0])
