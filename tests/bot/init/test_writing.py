"""The file that is written: sound, complete where it can be, and honest where it cannot."""

from __future__ import annotations

import json
import sys
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bot.init import find, written
from bot.init.writing import FILL
from bot.settings import load
from tests.support.checkouts import FACTORY, checkout
from tests.support.commands import complaint, demo_stage, plusone
from tests.support.plays import shipped
from tests.support.repository import git


def test_what_init_writes_for_the_demo_is_checked_examined_and_run_without_editing_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = demo_stage(tmp_path / "site").checkout
    monkeypatch.chdir(place)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-none")
    done = plusone("init", "--python", sys.executable)
    assert (done.status, done.out) == (0, "") and "fill in" not in done.err
    assert done.err.endswith("next: plusone doctor, then plusone run --dry-run\n")
    assert plusone("config", "check").status == 0
    state = ("--state", tmp_path / "state")
    examined = plusone("doctor", *state, "--json")
    assert (examined.status, examined.object["failure"]) == (0, 0), examined
    done = plusone("run", "--dry-run", "--model", f"script:{shipped('committed')}", *state, "--json")
    assert done.status == 0 and str(done.object["reason"]).startswith("dry run: would commit")


def test_it_never_overwrites_and_prints_instead(tmp_path: Path) -> None:
    site = checkout(tmp_path, FACTORY)
    assert plusone("init", site).status == 0
    before = (site / "plusone.toml").read_text()
    assert "is there already and is not overwritten" in complaint(plusone("init", site), 78)
    done = plusone("init", site, "--print")
    assert done.out == before == (site / "plusone.toml").read_text()


def test_a_factory_package_names_exactly_the_lines_to_fill(tmp_path: Path) -> None:
    site = checkout(tmp_path, FACTORY)
    done = plusone("init", site)
    lines = [line for line in done.err.splitlines() if line.startswith("fill in: ")]
    assert [line.partition(" #")[0] for line in lines] == [
        'fill in: python = ".venv/bin/python"',
        'fill in: env = { SHOP_MODE = "" }',
    ]
    settings = load(site / "plusone.toml")
    assert [(one.name, one.page) for one in settings.registry] == [("lamps", "/shop/lamps/{slug}")]
    assert [one.kind for one in settings.addition] == ["lamp", "feature"]
    assert settings.gate.routes.examples == ("/shop/find?word=a",)
    text = (site / "plusone.toml").read_text()
    assert '# file = "data/ports.yaml"\n# at = "ports"\n' in text and '\nenv = { SHOP_MODE = "" } ' in text


def test_a_site_of_which_nothing_is_found_is_still_a_sound_file_with_marks(tmp_path: Path) -> None:
    site = checkout(tmp_path, {"readme.md": "x\n"})
    git(site, "remote", "remove", "origin")
    git(site, "checkout", "--quiet", "--detach")
    made = written(find(site))
    assert [line.partition(" ")[0] for line in made.missing] == ["remote", "branch", "app", "python"]
    assert all(FILL in line for line in made.missing)
    (site / "plusone.toml").write_text(made.text)
    assert load(site / "plusone.toml").site.app == "app:app"


def test_nothing_of_the_site_is_run(tmp_path: Path) -> None:
    trap = (
        f"import pathlib\npathlib.Path({str(tmp_path / 'ran')!r}).touch()\nfrom flask import Flask\napp = Flask('x')\n"
    )
    site = checkout(tmp_path, {"app.py": trap, "conftest.py": trap, "sitecustomize.py": trap})
    assert plusone("init", site, "--print").status == 0
    assert not (tmp_path / "ran").exists()


WORDS = st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), min_size=1, max_size=12)


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    slugs=st.lists(st.from_regex(r"[a-z][a-z0-9-]{0,5}", fullmatch=True), min_size=2, max_size=4, unique=True),
    odd=WORDS,
)
def test_whatever_the_source_holds_the_file_is_sound(
    tmp_path_factory: pytest.TempPathFactory, slugs: list[str], odd: str
) -> None:
    entries = json.dumps([{"slug": slug, odd: odd} for slug in slugs])
    rule, word = json.dumps(f"/things/{odd}/<slug>"), json.dumps(odd)
    source = f"from flask import Flask\napp = Flask('x')\nBABEL_DEFAULT_LOCALE = {word}\nTHINGS = {entries}\n"
    source += f"@app.get({rule})\ndef things(slug):\n    return slug\n"
    source += f"@app.get('/find')\ndef locale():\n    return request.args[{word}]\n"
    files = {"app.py": source, f"data {odd}/x.json": entries, "po/de/LC_MESSAGES/m.po": "\n"}
    site = checkout(tmp_path_factory.mktemp("any"), files)
    tomllib.loads(written(find(site)).text)  # and `written` has loaded it as a configuration


def test_a_registry_without_a_page_needs_only_its_marks_taken_away_and_its_page_named(tmp_path: Path) -> None:
    notes = {f"content/{name}.md": "---\ntitle: A\n---\nText.\n" for name in ("one", "two")}
    site = checkout(tmp_path, {"app.py": "from flask import Flask\napp = Flask(__name__)\n", **notes})
    text = written(find(site, sys.executable)).text
    assert 'see that cycle.allow covers "content/*.md"' in text
    told, rest = text.split("# [[registry]]")
    marked, after = rest.split("\n\n", 1)
    lines = ["[[registry]]", *(line[2:] for line in marked.splitlines()[1:])]
    place = site / "plusone.toml"
    place.write_text("\n".join([told, *lines, "", after]).replace("/…/", "/notes/"))
    settings = load(place)
    assert [(one.name, one.page) for one in settings.registry] == [("content", "/notes/{stem}")]
    assert settings.addition[0].adds.keys() == {"content"}
