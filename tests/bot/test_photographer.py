"""When pictures are taken, and what is kept where none can be; the camera itself is tested where it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.agents.models import choose
from bot.compose import Shop, photographer
from bot.compose.photographer import portray, shipped
from bot.folders import Folders
from bot.machine.environment import Environment
from bot.model import Built, Claim, Committed, Outcome, Reverted, Trigger, Waiting
from bot.pictures import Album, kept
from tests.support.pages import Pages
from tests.support.settings import loaded, with_lines

CLAIM = Claim("feature", "tides", "", routes=("/tides",))
COMMIT = ("commit", Built(CLAIM))
ENDED = Committed("c" * 40, "d" * 40, "added tides")
RISK = with_lines("sandbox", 'mode = "none-i-accept-the-risk"', 'outer = "vm"')


def album(folder: Path, claim: Claim = CLAIM, text: str = "", outcome: Outcome = ENDED) -> Album | None:
    """What is kept for a cycle that ended so."""
    pages = Pages(folder)
    pages.run("c1", outcome, [("build", Built(claim))])
    settings, folders = loaded(folder, text or with_lines("page")), Folders(folder)
    folders.make_cycle("c1")
    trigger = Trigger("c1", "2026-11-30T04:00:00+00:00")
    portray(Shop(settings, folders, Environment(state=folder), trigger, choose("anthropic")))
    return kept(folders.pictures("c1"))


@pytest.mark.parametrize(
    ("outcome", "dry", "taken"),
    [
        (ENDED, False, True),
        (Waiting("c" * 40, "d" * 40, "tides waits"), False, True),
        (Reverted("commit", "dry run: would commit"), True, True),
        (Reverted("commit", "lost the race"), False, False),
        (None, False, False),
    ],
)
def test_what_got_as_far_as_the_write_is_looked_at(
    tmp_path: Path, outcome: Outcome | None, dry: bool, taken: bool
) -> None:
    run = Pages(tmp_path).run("c1", outcome, [COMMIT], dry=dry)
    assert shipped(run) is taken


def test_a_dry_run_that_was_turned_down_is_not_looked_at(tmp_path: Path) -> None:
    assert not shipped(Pages(tmp_path).run("c1", Reverted("guards", "not new"), [("revert", Built(CLAIM))], dry=True))


def test_without_a_page_a_browser_or_a_sandbox_the_reason_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("page", "sandbox", "browser"):
        (tmp_path / name).mkdir()
    assert album(tmp_path / "page", Claim("feature", "tides", "")) == Album(why="the claim names no page")
    monkeypatch.setattr(photographer, "located", lambda: None)
    assert album(tmp_path / "browser") == Album(why="no Chromium is installed on this machine")
    monkeypatch.setattr(photographer, "located", lambda: "a browser")
    assert album(tmp_path / "sandbox", text=RISK) == Album(why="without a sandbox no browser is started")


def test_where_no_pictures_are_wanted_or_nothing_was_shipped_there_is_no_album(tmp_path: Path) -> None:
    for name in ("never", "reverted"):
        (tmp_path / name).mkdir()
    assert album(tmp_path / "never", text=with_lines("page", 'pictures = "never"')) is None
    assert album(tmp_path / "reverted", outcome=Reverted("guards", "not new")) is None
