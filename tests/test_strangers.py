"""Sites that nobody here wrote, from `init` to a dry run: no line is edited, or exactly those that `init` names."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.store.git import Identity, clone, found
from tests.support import httpbin
from tests.support.commands import fired_httpbin, plusone
from tests.support.plays import YES, Play, Turn, play, replacing, submit
from tests.support.strangers import STRANGERS, Stranger, instance

PING = 'def ping():\n    """Tell that the service is up."""\n    return {"ping": "pong"}\n\n\n'
LISTED = "            ('repo_list', "
KEEPER = Identity("A stranger", "stranger@example.org", "2026-01-01T00:00:00+00:00")


@dataclass(frozen=True)
class Case:
    """How the application is found, the lines that are filled in, and a change that adds one page."""

    app: str
    turns: tuple[Turn, ...]
    route: str = "/ping"
    filled: dict[str, str] = field(default_factory=dict)


CASES = {
    "ihatemoney": Case(
        "ihatemoney.wsgi:application",
        (replacing("def login_limit(", f'@main.route("/ping")\n{PING}def login_limit(', "src/ihatemoney/web.py"),),
    ),
    "klaus": Case(
        "klaus.contrib.wsgi:application",
        (
            replacing(LISTED, f"            ('ping', '/ping/'),\n{LISTED}", "src/klaus/__init__.py"),
            replacing("def robots_txt():\n", f"{PING}def robots_txt():\n", "src/klaus/views.py"),
        ),
        "/ping/",
        {'KLAUS_REPOS = ""': 'KLAUS_REPOS = "instance/lights"', "provide = []": 'provide = ["instance/"]'},
    ),
}  # fmt: skip


def published(one: Stranger, folder: Path) -> Path:
    """A checkout of the site in git as it was published, with its environment, and with French alone."""
    for path, content in one.files().items():
        if path not in dict(one.extra) and ("/translations/" not in path or "/translations/fr/" in path):
            (folder / "first" / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / "first" / path).write_bytes(content)
    found(folder / "remote.git", folder / "first", "As it was published", KEEPER, "main")
    clone(str(folder / "remote.git"), folder / one.name, "main")
    (folder / one.name / ".venv").symlink_to(one.environment)
    return folder / one.name


def examined_and_tried(folder: Path, script: Path) -> None:
    """`doctor` finds nothing that stops a cycle, and a dry run comes to its end."""
    state = ("--state", folder / "state")
    done = plusone("doctor", *state, "--json")
    checks = done.object["checks"]
    assert isinstance(checks, list)
    assert [one for one in checks if one["level"] == "failure"] == [] and done.status == 0
    done = plusone("run", "--dry-run", "--model", f"script:{script}", *state, "--json")
    assert done.status == 0 and str(done.object["reason"]).startswith("dry run: would commit"), done
    assert "feature ping" in str(done.object["reason"])


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", CASES)
def test_a_site_is_kept_from_its_first_minute(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[name]
    place = published(next(one for one in STRANGERS if one.name == name), tmp_path)
    if case.filled:
        instance(place / "instance")
    monkeypatch.chdir(place)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-none")
    done = plusone("init")
    text = (place / "plusone.toml").read_text()
    named = [line for line in done.err.splitlines() if line.startswith("fill in: ")]
    assert f'app = "{case.app}"' in text and len(named) == len(case.filled)
    for (old, new), line in zip(case.filled.items(), named, strict=True):
        assert old in line
        text = text.replace(old, new)
    (place / "plusone.toml").write_text(text)
    script: Play = play([*case.turns, submit("feature", "ping", (case.route,))], (YES,))
    (tmp_path / "play.json").write_text(json.dumps(script))
    examined_and_tried(tmp_path, tmp_path / "play.json")
    assert subprocess.run(["/usr/bin/git", "-C", str(place), "diff", "--quiet"], check=False).returncode == 0


@pytest.mark.timeout(600)
def test_httpbin_needs_nothing(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    measured = fired_httpbin(tmp_path_factory, httpbin.COMMITTED).state / "cache"
    place = httpbin.stage(tmp_path / "stage", datetime.now(UTC)).checkout
    shutil.copytree(measured, tmp_path / "state" / "stage" / "cache")
    monkeypatch.chdir(place)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-none")
    assert "fill in" not in plusone("init", "--python", httpbin.site_python()).err
    examined_and_tried(tmp_path, httpbin.COMMITTED)
