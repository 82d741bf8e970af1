"""The panel gathers the facts from real trees: the files before and after, the date, the owner's rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from bot.base.known import Known
from bot.base.panel import Declared, GuardPanel
from bot.model import Change, Claim, Entry, FieldRule, Holdings, Limits, Registry, Snapshot
from tests.support.changes import Row, entry
from tests.support.holdings import ARTICLE, rule
from tests.support.repository import Scene, scene
from tests.support.settings import SOUND, loaded
from tests.support.values import ready

OLD = 'ARTICLES = [\n    {"slug": "bell", "title": "The bell", "date": "2025-01-01"},\n]\n'
NEW = OLD.replace("]\n", '    {"slug": "lens", "title": "The lens", "date": "2025-02-01"},\n]\n')
BELL = {"slug": "bell", "title": "The bell", "date": "2025-01-01"}
LENS = {"slug": "lens", "title": "The lens", "date": "2025-02-01"}
DECLARED = Declared((ARTICLE,), Limits(), {})


def held(*entries: Entry) -> Holdings:
    return Holdings((Registry("articles", entries),), (rule("/"),))


def codes(
    here: Scene,
    files: Mapping[str, bytes],
    new: Row = LENS,
    declared: Declared = DECLARED,
    old: tuple[Row, ...] = (BELL,),
) -> set[str]:
    """What all guards say to a real tree in which the agent wrote the files."""
    before = here.store.entries(here.base_tree)
    tree = here.store.write_tree(here.base_tree, {path: ("100644", text) for path, text in files.items()})
    changes = tuple(
        Change(path, "changed" if path in before else "added", size=len(text)) for path, text in files.items()
    )
    snapshot = Snapshot(here.base, here.base_tree, tree, Claim("article", "lens", "An article."), changes)
    panel = GuardPanel(here.store, declared, lambda _: Known({}, ()), ("lantern-4711",))
    now = replace(ready(), started="2026-11-30T04:00:00+00:00")
    given = now, snapshot, held(*map(entry, old)), held(*map(entry, (*old, new)))
    return {one.code for one in panel.objections(*given)}


def site(folder: Path, **more: str) -> Scene:
    return scene(folder, {"content.py": OLD, "view.py": "import os\nHOME = os.environ['HOME']\n", **more})


def test_one_article_in_a_real_tree_passes_every_guard(tmp_path: Path) -> None:
    assert codes(site(tmp_path), {"content.py": NEW.encode()}) == set()


def test_old_text_and_new_text_of_each_file_are_compared(tmp_path: Path) -> None:
    here = site(tmp_path)
    same = b"import os\nHOUSE = os.environ['HOME']\n"
    assert codes(here, {"content.py": NEW.encode(), "view.py": same}) == set()
    assert codes(here, {"content.py": NEW.encode(), "view.py": same + b"eval('1')\n"}) == {"static-rule"}
    assert codes(here, {"content.py": NEW.encode(), "new.html": b"{{ x|safe }}"}) == {"static-rule"}


def test_what_is_no_text_is_binary_and_what_was_none_is_new(tmp_path: Path) -> None:
    here = site(tmp_path)
    assert codes(here, {"content.py": NEW.encode(), "x.so": b"\x7fELF\0"}) == {"binary-file"}
    assert codes(here, {"content.py": NEW.encode(), "x.md": b"caf\xe9"}) == {"binary-file"}
    assert codes(here, {"content.py": NEW.encode(), "lamp.png": b"\x89PNG\0"}) == set()


def test_the_cycles_date_and_the_machines_secrets_are_known(tmp_path: Path) -> None:
    here = site(tmp_path)
    old = tuple({**BELL, "slug": f"bell-{n}", "title": f"Bell {n}"} for n in range(4))
    for date, found in (("2026-11-30", set()), ("2026-12-01", {"field-future"})):
        assert codes(here, {"content.py": NEW.encode()}, {**LENS, "date": date}, old=old) == found
    assert codes(here, {"content.py": NEW.encode(), "a.md": b"lantern-4711"}) == {"secret"}


def test_the_owners_word_about_a_field_is_heeded(tmp_path: Path) -> None:
    here, bare = site(tmp_path), {name: value for name, value in LENS.items() if name != "date"}
    free = replace(DECLARED, fields={"articles": {"date": FieldRule(required=False)}})
    assert codes(here, {"content.py": NEW.encode()}, bare) == {"field-missing"}
    assert codes(here, {"content.py": NEW.encode()}, bare, free) == set()


def test_the_configuration_says_it_by_registry_and_field(tmp_path: Path) -> None:
    text = SOUND + '\n[[registry]]\nname = "lamps"\nsource = "python"\nobject = "a:B"\nkey = "id"\n'
    settings = loaded(tmp_path, text + "[registry.fields]\ntags = { required = false }\nauthor = { open = true }\n")
    assert settings.field_rules["lamps"] == {"tags": FieldRule(required=False), "author": FieldRule(open=True)}
