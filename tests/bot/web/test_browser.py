"""The page in a real chromium, where there is one: each page read, each action clicked, nothing complained of."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.model import Waiting
from bot.operation.consent import given
from bot.operation.holds import PAUSED
from bot.web import Watched
from bot.web.server import Server
from tests.bot.web.test_pages import EVIL, hostile
from tests.support.axe import violations
from tests.support.browser import PROGRAM, Browser, browsing
from tests.support.commands import fired_pictured
from tests.support.onlooker import by_hand, of_cycle
from tests.support.pages import Pages

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no chromium is installed here")
WIDE = """
[...document.querySelectorAll('main *, header *')]
  .filter(one => !one.closest('.scroll, .unseen, pre, .skip') || one.matches('.scroll'))
  .filter(one => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(one => one.outerHTML.slice(0, 90)).join('\\n')
"""


MOVING = """document.querySelectorAll("script, img:not([src^='/cycles/c1/']), [onmouseover], [onerror]").length"""


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with browsing(tmp_path / "profile") as found:
        yield found


def served(site: Watched) -> Server:
    server = Server.listening(site, "127.0.0.1", 0)
    threading.Thread(target=server.serve, daemon=True).start()
    return server


def sign_in(browser: Browser, server: Server) -> None:
    browser.open(server.address)
    browser.run(f"document.querySelector('#token').value = {server.door.token!r}")
    browser.press("Sign in")


def waiting(folder: Path) -> tuple[Watched, Pages]:
    site, pages = by_hand(folder)
    for name in ("c1", "c2"):
        pages.run(name, Waiting("c" * 40, "d" * 40, f"article {name} waits"))
    return site, pages


def test_each_action_is_clicked_through_and_nothing_is_complained_of(tmp_path: Path, browser: Browser) -> None:
    site, _ = waiting(tmp_path)
    server = served(site)
    sign_in(browser, server)
    browser.run("document.querySelector('#pause-why').value = 'fog'")
    browser.press("Pause")
    assert str(site.journal.note(PAUSED)).endswith(": fog")
    browser.press("Resume")
    assert site.journal.note(PAUSED) is None
    for cycle, label, word in (("c1", "Approve", "approve"), ("c2", "Reject", "reject")):
        browser.open(f"{server.address}cycles/{cycle}")
        browser.press(label)
        said = given(site.journal, cycle)
        assert said and said.word == word
        assert f"{word} was asked for" in browser.run("document.body.innerText")
    browser.open(server.address)
    browser.press("Sign out")
    assert browser.run("document.querySelector('#token') !== null")
    assert browser.complaints == []
    server.stop()


def test_hostile_text_runs_nothing_and_fits_a_phone(tmp_path: Path, browser: Browser) -> None:
    site, _ = hostile(tmp_path, EVIL + "x" * 300)
    server = served(site)
    for path in ("", "ledger", "doctor", "cycles/c1", "cycles/c2"):
        for width in (360, 1200):
            browser.resize(width)
            browser.open(server.address + path)
            assert browser.run(MOVING) == 0
            assert browser.run(WIDE) == "", (path, width)
    assert not any(event["method"] == "Page.javascriptDialogOpening" for event in browser.events)
    assert browser.complaints == []
    server.stop()


def clean(browser: Browser, server: Server, *paths: str) -> None:
    """No rule is broken on the pages, with everything unfolded, on a desk in light and on a phone in dark."""
    for path in paths:
        browser.open(server.address + path)
        browser.run("document.querySelectorAll('details').forEach(one => { one.open = true })")
        for scheme, width in (("light", 1200), ("dark", 360)):
            browser.scheme(scheme)
            browser.resize(width)
            assert violations(browser) == [], (path, scheme)


def test_no_page_breaks_a_rule_of_accessibility_in_any_state(tmp_path: Path, browser: Browser) -> None:
    (tmp_path / "new").mkdir()
    (tmp_path / "full").mkdir()
    empty = served(by_hand(tmp_path / "new")[0])
    clean(browser, empty, "", "ledger", "doctor", "nothing")
    site, _ = hostile(tmp_path / "full", "some words of others <b>")
    full = served(site)
    clean(browser, full, "", "ledger", "doctor", "cycles/c1", "cycles/c2")
    server = served(waiting(tmp_path)[0])
    sign_in(browser, server)
    clean(browser, server, "", "cycles/c1")
    for one in (empty, full, server):
        one.stop()


def test_a_rule_that_is_broken_is_seen(tmp_path: Path, browser: Browser) -> None:
    """Or the test above would prove little."""
    server = served(by_hand(tmp_path)[0])
    browser.open(server.address)
    browser.run("document.querySelector('label').remove(); document.documentElement.lang = ''")
    assert {one.partition(":")[0] for one in violations(browser)} >= {"label", "html-has-lang"}
    server.stop()


def test_a_real_cycle_with_its_pictures_is_clean_and_shows_them(
    browser: Browser, tmp_path_factory: pytest.TempPathFactory
) -> None:
    site = fired_pictured(tmp_path_factory)
    server = served(of_cycle(site))
    clean(browser, server, "", f"cycles/{site.report['cycle']}")
    widths = browser.run("[...document.querySelectorAll('img')].map(one => one.naturalWidth)")
    assert widths == [1280, 1280, 1280] and browser.complaints == []
    server.stop()


def test_the_policy_stops_a_script_that_would_get_in(tmp_path: Path, browser: Browser) -> None:
    """Or the tests above would prove little."""
    server = served(by_hand(tmp_path)[0])
    browser.open(server.address)
    browser.run(
        "document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.got = 1'}))"
    )
    assert browser.run("window.got") is None
    assert any("Content Security Policy" in complaint for complaint in browser.complaints)
    server.stop()
