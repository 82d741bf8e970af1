"""What is said, to whom and how often, over real sockets."""

from __future__ import annotations

import json
import re
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.machine.environment import Environment
from bot.model import Committed, Failed, Outcome, Reverted, Skipped
from bot.notify import announce, left_unsaid, ready, starting, undelivered
from bot.notify.notice import TAIL, tail
from bot.operation.standing import standing, told
from bot.settings import Settings
from bot.telling.report import report
from tests.support.hearers import Hearer, hearing
from tests.support.pages import Pages
from tests.support.settings import loaded, with_lines

HERE = Environment(state=Path("/nowhere"), invocation="i1")
WAIT = Skipped("wait", "too-soon", "not yet")
BLIND = Skipped("setup", "site-broken", "the sweep is blind")


@pytest.fixture
def ear() -> Iterator[Hearer]:
    with hearing() as hearer:
        yield hearer


@pytest.fixture
def pages(tmp_path: Path) -> Pages:
    return Pages(tmp_path)


def said(folder: Path, *lines: str) -> Settings:
    return loaded(folder, with_lines("notify", *lines))


def ended(settings: Settings, pages: Pages, *outcomes: Outcome, dry: bool = False) -> None:
    for outcome in outcomes:
        name = f"c{len(pages.journal.runs(1000))}"
        run = pages.run(name, outcome, dry=dry)
        announce(settings, HERE, pages.journal, report(pages.journal, run))


def test_a_ping_tells_the_start_and_the_exit_status_of_one_firing(tmp_path: Path, pages: Pages, ear: Hearer) -> None:
    settings = said(tmp_path, f'healthchecks = "{ear.url}"')
    starting(settings, pages.journal, "c0")
    ended(settings, pages, Committed("c", "t", "added one"))
    assert ear.paths == ["start", "0"]
    (first, _), (last, log) = ear.heard
    rid = re.fullmatch(r"/ping/an-id/start\?rid=([0-9a-f-]{36})", first)
    assert rid and last == f"/ping/an-id/0?rid={rid[1]}"
    assert b"added one" in log


@pytest.mark.parametrize(
    ("outcome", "word"),
    [
        (Committed("c", "t", "added"), "0"),
        (Reverted("decide", "two things"), "0"),
        (WAIT, "0"),
        (BLIND, "78"),
        (Failed("build", "no end"), "1"),
        (Failed("build", "away", exit_code=69), "69"),
    ],
)
def test_health_is_told_by_the_exit_status(
    tmp_path: Path, pages: Pages, ear: Hearer, outcome: Outcome, word: str
) -> None:
    ended(said(tmp_path, f'healthchecks = "{ear.url}"'), pages, outcome)
    assert ear.paths == [word]


def test_a_skip_that_needs_a_person_is_told_once_for_each_change_of_state(
    tmp_path: Path, pages: Pages, ear: Hearer
) -> None:
    settings = said(tmp_path, f'healthchecks = "{ear.url}"')
    breaker = Skipped("setup", "breaker", "3 cycles failed in a row")
    later = Skipped("setup", "breaker", "4 cycles failed in a row")
    ended(settings, pages, BLIND, BLIND, breaker, later, WAIT, breaker)
    assert ear.paths == ["78", "78", "0", "78"]


def test_the_webhook_hears_what_it_asked_for_as_one_object(tmp_path: Path, pages: Pages, ear: Hearer) -> None:
    settings = said(tmp_path, f'webhook = "{ear.url}"', 'on = ["failed", "setup"]')
    ended(settings, pages, Committed("c", "t", "added"), WAIT, BLIND, BLIND, Failed("build", "no\x1b end"))
    found = [json.loads(body) for _, body in ear.heard]
    assert [one["event"] for one in found] == ["setup", "failed"]
    assert found[1]["report"]["outcome"] == "failed" and found[1]["exit_status"] == 1
    assert "exit_code" not in found[1]["report"] and found[1]["schema_version"] == 1
    assert found[1]["site"] == "harbour"


def test_by_default_a_commit_is_news_and_a_quiet_skip_is_not(tmp_path: Path, pages: Pages, ear: Hearer) -> None:
    ended(said(tmp_path, f'webhook = "{ear.url}"'), pages, WAIT, Reverted("decide", "no"), Committed("c", "t", "added"))
    assert [json.loads(body)["event"] for _, body in ear.heard] == ["committed"]


def test_a_dry_run_is_nobodys_news(tmp_path: Path, pages: Pages, ear: Hearer) -> None:
    ended(said(tmp_path, f'healthchecks = "{ear.url}"'), pages, Reverted("commit", "dry run"), dry=True)
    assert ear.heard == []


def test_what_does_not_get_through_is_noted_shown_and_forgotten_once_it_does(
    tmp_path: Path, pages: Pages, ear: Hearer
) -> None:
    settings = said(tmp_path, f'webhook = "{ear.url}"')
    ear.status = 500
    ended(settings, pages, Committed("c", "t", "added"))
    assert undelivered(pages.journal)["webhook"].endswith("127.0.0.1: answered 500")
    assert any("notify.webhook did not get through" in line for line in told(standing(settings, pages.journal)))
    ear.status = 200
    ended(settings, pages, Committed("c", "t", "added"))
    assert undelivered(pages.journal) == {}


def test_nobody_who_answers_never_fails_a_cycle_and_no_address_is_noted(tmp_path: Path, pages: Pages) -> None:
    with socket.socket() as mute:
        mute.bind(("127.0.0.1", 0))  # held, so that nobody else may listen there
        port = mute.getsockname()[1]
        settings = said(tmp_path, f'healthchecks = "http://127.0.0.1:{port}/secret-id"')
        starting(settings, pages.journal, "c0")
        ended(settings, pages, Committed("c", "t", "added"))
    note = undelivered(pages.journal)["healthchecks"]
    assert note.endswith("127.0.0.1: ConnectError") and "secret-id" not in note


@pytest.mark.parametrize("address", ["example.org/x", "ftp://example.org/x", "https:///x"])
def test_an_address_that_cannot_be_one_is_refused_before_the_cycle(tmp_path: Path, address: str) -> None:
    with pytest.raises(ConfigError, match=r"notify\.webhook: must be an http or https address"):
        ready(said(tmp_path, f'webhook = "{address}"').notify)


def test_messages_without_their_library_are_refused_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"pip install 'plusone\[notify\]'"):
        ready(said(tmp_path, 'apprise = ["mailto://a"]').notify)


APPRISE = """
class Apprise:
    def __init__(self): self.urls = []
    def add(self, url): self.urls.append(url); return url != "bad://"
    def notify(self, title, body):
        open({path!r}, "a").write(title + "|" + ",".join(self.urls) + "\\n")
        return "deaf://" not in self.urls
"""


@pytest.mark.parametrize(
    ("url", "note"), [("mailto://a", ""), ("bad://", "1 of 1 addresses"), ("deaf://", "not every address took it")]
)
def test_messages_go_by_the_library_where_it_is(
    tmp_path: Path, pages: Pages, monkeypatch: pytest.MonkeyPatch, url: str, note: str
) -> None:
    """The library is no dependency of the tests: a stand-in has the three calls that it promises."""
    (tmp_path / "apprise.py").write_text(APPRISE.format(path=str(tmp_path / "sent")))
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "apprise", raising=False)
    settings = said(tmp_path, f'apprise = ["{url}"]')
    ready(settings.notify)
    ended(settings, pages, Committed("c", "t", "added one"))
    sys.modules.pop("apprise", None)
    assert note in undelivered(pages.journal).get("apprise", "")
    assert (tmp_path / "sent").exists() == (url != "bad://")
    if not note:
        assert (tmp_path / "sent").read_text() == "harbour: committed: added one|mailto://a\n"


def test_the_failure_unit_speaks_only_for_a_cycle_that_could_not(tmp_path: Path, pages: Pages, ear: Hearer) -> None:
    settings = said(tmp_path, f'healthchecks = "{ear.url}"')
    ended(settings, pages, Failed("build", "no end"))
    left_unsaid(settings, Environment(Path("/"), failed=("i1", "exit-code")), pages.journal)
    assert ear.paths == ["1"]
    left_unsaid(settings, Environment(Path("/"), failed=("i2", "timeout")), pages.journal)
    assert ear.paths == ["1", "1"] and b"systemd ended the cycle: timeout" in ear.heard[-1][1]


def test_a_long_log_is_cut_to_its_end() -> None:
    lines = [f"line {number} \N{SNOWMAN}" for number in range(5000)]
    kept = tail(lines)
    assert len(kept.encode()) <= TAIL and kept.endswith("line 4999 \N{SNOWMAN}")
    assert tail(["short"]) == "short"
