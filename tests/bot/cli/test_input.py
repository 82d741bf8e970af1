"""Bad input: one clear line, its exit status, and nothing written where it matters."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from bot.demo import ending
from bot.store.git import Git
from tests.support.commands import Fired, complaint, contents, demo_stage, fired, plusone, warm

SCRIPT = f"script:{ending('committed').script}"


@pytest.fixture
def site(tmp_path: Path) -> Fired:
    demo_stage(tmp_path / "site")
    return Fired(tmp_path / "site")


def edited(site: Fired, old: str, new: str) -> None:
    text = site.config.read_text()
    assert old in text
    site.config.write_text(text.replace(old, new))


def refused(site: Fired, status: int, *more: str | Path, model: str = SCRIPT) -> str:
    """What a run says that cannot be; the checkout and the remote are as they were."""
    before = outside(site)
    said = complaint(plusone("run", "--config", site.config, "--model", model, *more), status)
    assert outside(site) == before
    return said


def outside(site: Fired) -> Mapping[str, bytes]:
    return contents(*(folder for folder in (site.folder / "checkout", site.folder / "remote.git") if folder.exists()))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('app = "lights.app:create_app"\n', "", "site.app: is missing; add it"),
        ("repairs = 3", "repair = 3", 'cycle.repair: unknown key; did you mean "repairs"?'),
        ("[ledger]", "[legder]", 'legder: unknown key; did you mean "ledger"?'),
        ("repairs = 3", 'repairs = "many"', "cycle.repairs: must be a whole number"),
        ("[site]", "[site", "is not TOML: "),
        ('remote = "./remote.git"', 'remote = "elsewhere"', "has no remote of that name"),
        ('remote = "./remote.git"', 'remote = "http://example.org/x.git"', "must be https, ssh or a local path"),
        ('branch = "main"', 'branch = "trunk"', "trunk"),
        ('branch = "main"', 'branch = "a..b"', "is not the name of a branch"),
        ('python = "', 'python = "/nowhere/', "site.python: /nowhere/"),
        ("lights.app:create_app", "lanterns:app", "lanterns"),
        ("lights.content.articles:ARTICLES", "lights.content.articles:ESSAYS", "ESSAYS"),
        ("lights.content.articles:ARTICLES", "lights.essays:ESSAYS", "lights.essays"),
    ],
)
def test_a_configuration_that_does_not_hold_is_78(old: str, new: str, says: str, site: Fired) -> None:
    edited(site, old, new)
    assert says in refused(site, 78)


def test_a_site_that_does_not_boot_is_refused_with_its_own_words(site: Fired) -> None:
    edited(site, "lights.app:create_app", "lights.app:create_ap")
    said = refused(site, 78)
    assert said.startswith("plusone: needs a person (site-broken): base ") and "does not work as it is" in said


def emptied(site: Fired) -> None:
    Git(site.folder / "remote.git").run("update-ref", "-d", "refs/heads/main")


def made_shallow(site: Fired) -> None:
    remote = site.folder / "remote.git"
    (remote / "shallow").write_bytes(Git(remote).run("rev-parse", "main"))


def taken_away(site: Fired) -> None:
    (site.folder / "remote.git").rename(site.folder / "moved.git")


@pytest.mark.parametrize(
    ("change", "status", "says"),
    [(emptied, 78, "main"), (made_shallow, 78, "--unshallow"), (taken_away, 69, "remote.git")],
)
def test_a_repository_that_cannot_serve_is_named_with_what_next(
    change: Callable[[Fired], None], status: int, says: str, site: Fired
) -> None:
    change(site)
    assert says in refused(site, status)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{\n "build": [\n', ":3"),
        ('{"build": [], "validate": [], "mend": []}', "mend"),
        ('{"build": [[[{"type": "image"}]]], "validate": [], "fix": []}', "build"),
        ('{"build": [[[{"type": "tool_use", "name": "rm", "input": {}}]]], "validate": [], "fix": []}', "'rm'"),
    ],
)
def test_a_malformed_script_is_refused_before_anything_begins(text: str, says: str, site: Fired) -> None:
    path = site.folder / "script.json"
    path.write_text(text)
    said = refused(site, 78, model=f"script:{path}")
    assert str(path) in said and says in said
    assert not (site.folder / "state").exists()


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda path: path.symlink_to("/dev/zero")])
@pytest.mark.parametrize("kind", ["script", "recording"])
def test_a_script_or_recording_that_is_no_file_is_never_waited_for(
    kind: str, make: Callable[[Path], None], site: Fired
) -> None:
    make(site.folder / "model.json")
    said = refused(site, 78, model=f"{kind}:{site.folder / 'model.json'}")
    assert "model.json: cannot be read: it is not a file" in said
    assert not (site.folder / "state").exists()


@pytest.mark.parametrize(
    ("text", "says"),
    [("", ":1: "), ("what?\n", ":1: the header is not JSON"), ('{"plusone": 1}\n{"node": 2}\n{}\n', ":2: ")],
)
def test_a_malformed_recording_is_refused_before_anything_begins(text: str, says: str, site: Fired) -> None:
    path = site.folder / "recording.jsonl"
    path.write_text(text)
    assert f"{path}{says}" in refused(site, 78, model=f"recording:{path}")
    assert not (site.folder / "state").exists()


def test_a_script_that_is_too_short_is_refused_as_such(site: Fired, tmp_path_factory: pytest.TempPathFactory) -> None:
    warm(site.folder, fired("committed", tmp_path_factory))
    path = site.folder / "script.json"
    path.write_text('{"build": [], "validate": [], "fix": []}')
    assert "build" in refused(site, 78, model=f"script:{path}")


@pytest.mark.parametrize("command", ["run", "pause", "resume"])
def test_a_state_folder_that_cannot_be_written_is_refused(command: str, site: Fired, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/plusone")):
        done = plusone(command, "--config", site.config, "--state", place)
        assert "cannot keep state here" in complaint(done, 78)
    assert (tmp_path / "file").read_text() == "in the way"


@pytest.mark.parametrize("command", ["runs", "status", "show last", "ledger list", "ledger verify", "replay last"])
def test_looking_where_nothing_ran_makes_no_folder(command: str, site: Fired) -> None:
    done = plusone(*command.split(), "--config", site.config)
    assert "holds no record of harbour-lights yet" in complaint(done, 78)
    assert done.out == "" and not (site.folder / "state").exists()


@pytest.mark.parametrize("command", ["run", "runs", "status", "show last", "ledger list", "replay last", "config show"])
def test_every_command_names_a_configuration_that_is_missing(command: str, tmp_path: Path) -> None:
    said = complaint(plusone(*command.split(), "--config", tmp_path / "none.toml"), 78)
    assert said == f"plusone: {tmp_path}/none.toml: no such file; name the configuration with --config FILE\n"
