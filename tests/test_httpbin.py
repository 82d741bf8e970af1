"""A site nobody here wrote: what the scripts do to httpbin, and how the cycles end that play them."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.settings import load
from tests.support import httpbin, player
from tests.support.commands import Fired, fired_httpbin

_RULES = """
import json, httpbin
client = httpbin.app.test_client()
print(json.dumps({"file": httpbin.__file__, "rules": sorted(r.rule for r in httpbin.app.url_map.iter_rules()),
                  "ping": client.get("/ping").get_json(silent=True), "json": client.get("/json").status_code}))
"""


def ask(folder: Path) -> dict[str, object]:
    command = [str(httpbin.site_python()), "-B", "-c", _RULES]
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=True)
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def rules(answer: dict[str, object]) -> set[str]:
    found = answer["rules"]
    assert isinstance(found, list)
    return set(found)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    httpbin.copy(tmp_path)
    return tmp_path


def test_the_copy_wins_over_the_installed_package(site: Path) -> None:
    answer = ask(site)
    assert answer["file"] == str(site / "src/httpbin/__init__.py")
    assert (answer["ping"], answer["json"]) == (None, 200) and len(rules(answer)) > 40


def test_committed_adds_one_route(site: Path) -> None:
    before = rules(ask(site))
    ends = player.play(player.load(httpbin.COMMITTED)["build"][0], site)
    after = ask(site)
    assert rules(after) - before == {"/ping"} and rules(after) >= before
    assert after["ping"] == {"ping": "pong"} and ends[0]["input"]["routes"] == ["/ping"]


def test_renamed_takes_a_route_away(site: Path) -> None:
    before = rules(ask(site))
    player.play(player.load(httpbin.RENAMED)["build"][0], site)
    after = ask(site)
    assert before - rules(after) == {"/json"} and rules(after) - before == {"/slideshow.json"}
    assert after["json"] == 404


def test_broken_adds_a_route_that_raises(site: Path) -> None:
    before = rules(ask(site))
    player.play(player.load(httpbin.BROKEN)["build"][0], site)
    assert rules(ask(site)) - before == {"/ping"}


def git(fired: Fired, *arguments: str) -> str:
    command = ["/usr/bin/git", "-C", str(fired.folder / "remote.git"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def objections(report: dict[str, object]) -> list[tuple[str, str, str]]:
    found = report["objections"]
    assert isinstance(found, list)
    return [(one["node"], one["code"], one["subject"]) for one in found]


def test_a_cycle_that_adds_a_route_is_committed(tmp_path_factory: pytest.TempPathFactory) -> None:
    fired = fired_httpbin(tmp_path_factory, httpbin.COMMITTED)
    report = fired.report
    assert (report["outcome"], fired.status, report["objections"]) == ("committed", 0, [])
    assert git(fired, "rev-parse", "main", "main^{tree}").split() == [report["commit"], report["tree"]]
    assert git(fired, "diff", "--name-only", "main~", "main").split() == ["src/httpbin/core.py"]
    assert "Plusone-Adds: feature/ping" in git(fired, "log", "-1", "--format=%B", "main")


def test_a_cycle_that_renames_a_route_is_reverted_by_a_guard(tmp_path_factory: pytest.TempPathFactory) -> None:
    fired = fired_httpbin(tmp_path_factory, httpbin.RENAMED)
    report = fired.report
    assert (report["outcome"], report["stage"], report["repairs"], report["commit"]) == ("reverted", "guards", 0, None)
    assert objections(report) == [("guards", "removed", "url_map/GET /json")]
    assert git(fired, "rev-list", "--count", "main").strip() == "1"


def test_a_cycle_whose_route_raises_is_never_committed(tmp_path_factory: pytest.TempPathFactory) -> None:
    fired = fired_httpbin(tmp_path_factory, httpbin.BROKEN)
    report = fired.report
    assert (report["outcome"], fired.status, report["repairs"], report["commit"]) == ("failed", 1, 1, None)
    assert objections(report) == [("gate", "new-page-fails", "/ping")]
    assert git(fired, "rev-list", "--count", "main").strip() == "1"


def test_its_configuration_is_sound_and_its_history_is_old_enough(tmp_path: Path) -> None:
    started = datetime(2026, 11, 30, 4, 0, tzinfo=UTC)
    made = httpbin.stage(tmp_path / "stage", started)
    settings = load(made.config)
    assert settings.python == httpbin.site_python() and Path(settings.remote) == made.remote
    command = ["/usr/bin/git", "-C", str(made.remote), "log", "-1", "--format=%cI", "main"]
    when = subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()
    assert started - datetime.fromisoformat(when) > settings.cycle.quiet_period
    assert (made.checkout / "src/httpbin/templates/index.html").is_file()


def test_a_missing_environment_is_named_with_the_command_that_makes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(httpbin, "ENVIRONMENT", tmp_path)
    with pytest.raises(AssertionError, match="run `make sites`"):
        httpbin.site_python()
