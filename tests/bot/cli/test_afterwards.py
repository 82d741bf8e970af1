"""What a cycle leaves for people to look at, and that it fails no cycle."""

from __future__ import annotations

import struct
from datetime import timedelta
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bot.pictures import kept, located
from tests.support.commands import Done, Fired, demo_stage, fired, fired_pictured, plusone
from tests.support.onlooker import Visit, of_cycle

TOO_SOON = timedelta(minutes=5)


def status(site: Fired) -> Done:
    return plusone("status", "--config", site.config)


def test_after_a_cycle_the_page_lies_in_the_state_folder(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = fired("gate-repaired", tmp_path_factory)
    pages = site.state / "pages"
    assert str(site.report["cycle"]) in (pages / "index.html").read_text()
    assert "F401" in (pages / f"cycles/{site.report['cycle']}.html").read_text()
    assert "could not be made" not in status(site).out


def test_a_quiet_skip_writes_no_page_and_what_broke_does(tmp_path: Path) -> None:
    made = demo_stage(tmp_path / "site", TOO_SOON)
    pages = tmp_path / "site/state/harbour-lights/pages"
    assert plusone("run", "--config", made.config).status == 0 and not pages.exists()
    made.config.write_text(made.config.read_text().replace('quiet_period = "3h"', 'quiet_period = "0s"'))
    made.remote.joinpath("HEAD").unlink()
    assert plusone("run", "--config", made.config).status == 78
    assert "does not appear to be a git repository" in (pages / "index.html").read_text()


def test_a_page_that_cannot_be_written_fails_no_cycle_and_shows_in_status_until_it_can(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = fired("committed", tmp_path_factory).copied(tmp_path / "site")
    site.config.write_text(site.config.read_text().replace("[page]\n", '[page]\nfolder = "www"\n'))
    (site.folder / "www").write_text("somebody's file")
    site.config.write_text(site.config.read_text().replace('quiet_period = "3h"', 'quiet_period = "0s"'))
    script = str(Path("bot/demo/scripts/declined.json").resolve())
    done = plusone("run", "--config", site.config, "--model", f"script:{script}", "--json")
    assert (done.status, done.object["outcome"]) == (0, "reverted"), done
    assert "the page's files could not be made, " in status(site).out
    assert "files" in Visit.to(of_cycle(site)).get("/").text
    (site.folder / "www").unlink()
    plusone("run", "--config", site.config, "--model", f"script:{script}", "--json")
    assert (site.folder / "www/index.html").exists() and "could not be made" not in status(site).out


@pytest.mark.skipif(located() is None, reason="no chromium is installed here")
def test_new_and_changed_pages_have_their_pictures(tmp_path_factory: pytest.TempPathFactory) -> None:
    site = fired_pictured(tmp_path_factory)
    assert site.report["outcome"] == "committed"
    cycle, visit = str(site.report["cycle"]), Visit.to(of_cycle(site))
    folder = site.state / "cycles" / cycle / "pictures"
    album = kept(folder)
    assert album and not album.why
    assert [(one.url, one.new, bool(one.before), bool(one.after)) for one in album.pages] == [
        ("/tides", True, False, True),
        ("/", False, True, True),
    ]
    shown = {node.attributes["src"]: node.attributes["alt"] for node in _images(visit.get(f"/cycles/{cycle}").text)}
    assert sorted(str(alt) for alt in shown.values()) == [
        "The page / after the change", "The page / before the change", "The page /tides after the change",
    ]  # fmt: skip
    for address in shown:
        answer = visit.get(str(address))
        assert answer.mimetype == "image/png" and answer.headers["X-Content-Type-Options"] == "nosniff"
        assert struct.unpack_from(">I", answer.data, 16) == (1280,)
        assert (site.state / "pages" / str(address).removeprefix("/")).read_bytes() == answer.data
    assert {one.name for one in (site.state / "scratch").glob("*")} == set()


def _images(html: str) -> list[LexborNode]:
    return list(LexborHTMLParser(html).css("img"))
