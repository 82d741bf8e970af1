"""`plusone ledger` over a real site: what is committed, removed, rejected and configured, and making it again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from bot.cli.main import app
from bot.demo.endings import ending
from bot.demo.performance import Performance, perform
from bot.store.git import Identity, commit_files
from tests.support.sites import PYTHON

KEEPER = Identity("A Keeper", "keeper@lights.example", "2026-11-01T00:00:00+00:00")
MESSAGE = "By hand\n\nWords.\n\nPlusone-Cycle: 20261101T000000Z-0000\nPlusone-Adds: articles/long-gone\n"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Performance:
    """A cycle that was turned down by the guards; what a person removed was added long ago."""
    return perform(tmp_path_factory.mktemp("site"), ending("guard-two-things"), PYTHON)


def ledger(site: Performance, *arguments: str) -> Result:
    return CliRunner().invoke(app, ["ledger", *arguments, "--config", str(site.stage.config)])


def file(site: Performance) -> Path:
    return site.stage.config.parent / "state" / "harbour-lights" / "ledger.db"


def test_every_state_is_listed_and_the_file_is_made_again_byte_for_byte(site: Performance) -> None:
    assert site.fits and ledger(site, "verify").exit_code == 0
    whole = file(site).read_bytes()
    file(site).unlink()
    assert ledger(site, "rebuild").exit_code == 0
    assert file(site).read_bytes() == whole
    commit = commit_files(site.stage.remote, "main", {"NOTES.md": b"x\n"}, MESSAGE, KEEPER)
    assert ledger(site, "rebuild").exit_code == 0
    listed = json.loads(ledger(site, "list", "--json").stdout)
    states = {one["key"]: (one["state"], one["commit"]) for one in listed["entries"]}
    assert states == {
        "feature/rss-feed": ("configured", ""),
        "articles/the-wreckers-of-long-bank": ("configured", ""),
        "articles/long-gone": ("removed", commit),
        f"articles/{_claimed(site)}": ("rejected", ""),
    }
    assert listed["known"]["articles/long-gone"].endswith("and removed since")
    assert f"removed articles/long-gone {commit[:10]} 2026-11-01" in ledger(site, "list").stdout


def test_a_journal_that_says_otherwise_is_a_difference(site: Performance) -> None:
    ledger(site, "rebuild")
    content = file(site).read_bytes()
    file(site).write_bytes(content.replace(b"more was added than one thing", b"MORE was added than one thing"))
    done = ledger(site, "verify")
    assert done.exit_code == 1 and done.stdout.startswith("cycle ") and "the journal rejected articles/" in done.stdout
    assert ledger(site, "rebuild").exit_code == 0 and ledger(site, "verify").exit_code == 0


def test_a_damaged_file_stops_and_never_reads_as_empty(site: Performance) -> None:
    file(site).write_bytes(b"")
    for command in ("list", "verify"):
        done = ledger(site, command)
        assert done.exit_code == 1 and "mend it with: plusone ledger rebuild" in done.stderr
    assert "kept as" in ledger(site, "rebuild").stderr and "rejected" in ledger(site, "list").stdout


def _claimed(site: Performance) -> str:
    script = json.loads(ending("guard-two-things").script.read_text())  # type: ignore[union-attr]
    turns = [block for call in script["build"] for turn in call for block in turn if block.get("name") == "submit"]
    return str(turns[-1]["input"]["key"])
