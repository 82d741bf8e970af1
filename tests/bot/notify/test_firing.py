"""Whole firings that say how they ended, and a catch-up that comes too soon (the shared case 37)."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.firing.start import fire
from tests.support.firing import SOON, Place, place, warmed
from tests.support.hearers import Hearer, hearing


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return warmed(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def ear() -> Iterator[Hearer]:
    with hearing() as hearer:
        yield hearer


@pytest.fixture
def here(tmp_path: Path, cache: Path) -> Place:
    return place(tmp_path, cache)


def notify(here: Place, *lines: str) -> None:
    here.made.config.write_text(here.made.config.read_text() + "\n[notify]\n" + "\n".join(lines) + "\n")


def test_a_commit_is_told_and_a_firing_soon_after_it_is_refused_and_a_sign_of_health(here: Place, ear: Hearer) -> None:
    notify(here, f'healthchecks = "{ear.url}"', f'webhook = "{ear.url}/hook"')
    base = here.tip
    here.landed(here.fire(), base)
    assert ear.paths == ["start", "0", "hook"]
    here.edit((SOON[1], SOON[0]))  # the quiet period is three hours again; the commit is seconds old
    report = here.fire()
    assert (report["outcome"], report["exit_code"]) == ("skipped", 0)
    assert "quiet_period is over in 180 min" in str(report["reason"])
    assert ear.paths[3:] == ["start", "0"]


def test_a_site_that_broke_is_told_once_until_it_is_well(here: Place, ear: Hearer) -> None:
    notify(here, f'healthchecks = "{ear.url}"')
    here.human({"src/lights/app.py": b"raise RuntimeError('out')\n"})
    assert [here.fire()["exit_code"] for _ in range(2)] == [78, 78]
    assert ear.paths == ["start", "78", "start"]


def test_what_breaks_before_the_cycle_has_a_row_is_news_like_any_other_failure(
    here: Place, ear: Hearer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaks(_shop: object) -> None:
        raise OSError(5, "Input/output error")

    notify(here, f'healthchecks = "{ear.url}"', f'webhook = "{ear.url}/hook"')
    monkeypatch.setattr("bot.firing.start.make_good", breaks)
    with pytest.raises(OSError, match="Input/output error"):
        fire(here.order())
    (told,) = here.told
    assert (told["outcome"], told["stage"], told["exit_code"]) == ("failed", "set-up", 1)
    assert ear.paths == ["start", "1", "hook"]
    assert json.loads(ear.heard[-1][1])["report"]["cycle"] == told["cycle"]


def test_a_dry_run_says_nothing(here: Place, ear: Hearer) -> None:
    notify(here, f'healthchecks = "{ear.url}"')
    here.edit((SOON[1], SOON[0]))
    here.fire(dry_run=True)
    assert ear.heard == []


def test_messages_without_their_library_stop_a_firing_before_anything_is_begun(here: Place) -> None:
    notify(here, 'apprise = ["mailto://a"]')
    with here.unmoved(), pytest.raises(ConfigError, match="pip install"):
        fire(here.order())
