"""The door of the page: who may read, who may act, and what nobody may."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.errors import ConfigError
from bot.model import Committed, Failed, Waiting
from bot.operation.consent import given
from bot.operation.holds import PAUSED
from bot.web import Watched
from bot.web.server import Server
from tests.support.onlooker import HERE, Visit, by_hand
from tests.support.pages import Pages

HELD = Waiting("c" * 40, "d" * 40, "article x waits")
READS = ("/", "/ledger", "/cycles/c1", "/overview.json", "/ledger.json", "/cycles/c1.json", "/style.css", "/icon.svg")
ACTS = ("/pause", "/resume", "/cycles/c1/approve", "/cycles/c1/reject", "/leave")


@pytest.fixture
def made(tmp_path: Path) -> tuple[Watched, Pages]:
    site, pages = by_hand(tmp_path)
    pages.run("c1", HELD)
    return site, pages


@pytest.fixture
def site(made: tuple[Watched, Pages]) -> Watched:
    return made[0]


@pytest.fixture
def visit(site: Watched) -> Visit:
    return Visit.to(site)


def untouched(site: Watched) -> bool:
    return site.journal.note(PAUSED) is None and given(site.journal, "c1") is None


@pytest.mark.parametrize("path", READS)
def test_everything_can_be_read_and_carries_strict_headers(visit: Visit, path: str) -> None:
    answer = visit.get(path)
    assert answer.status_code == 200
    policy = answer.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; style-src 'self'; img-src 'self'; ") and "unsafe" not in policy
    assert "script-src" not in policy and "frame-ancestors 'none'" in policy and "form-action 'self'" in policy
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("base", ["http://evil.example", "http://127.0.0.1:1", "http://127.0.0.1.evil.example:8765"])
def test_another_host_is_turned_away_whatever_it_asks(visit: Visit, base: str) -> None:
    for path in READS:
        answer = visit.get(path, base)
        assert (answer.status_code, b"article x waits" in answer.data) == (421, False)


@pytest.mark.parametrize("path", ACTS)
def test_without_the_token_nothing_is_recorded(visit: Visit, site: Watched, path: str) -> None:
    assert visit.post(path).status_code == 403
    assert untouched(site)


@pytest.mark.parametrize("path", ACTS)
def test_a_form_from_elsewhere_is_refused_even_with_the_session(visit: Visit, site: Watched, path: str) -> None:
    visit.signed_in()
    for origin in ("http://evil.example", "null", None, "http://127.0.0.1:80", "ftp://127.0.0.1:8765", ""):
        assert visit.post(path, origin).status_code == 403
    assert untouched(site)


@pytest.mark.parametrize("path", ACTS)
def test_a_form_without_the_right_seal_is_refused_even_with_the_session(visit: Visit, site: Watched, path: str) -> None:
    visit.signed_in()
    other = Visit.to(site).signed_in().seal
    for seal in ("", "x", other, visit.seal[:-1]):
        assert visit.post(path, seal=seal).status_code == 403
    assert untouched(site)


@pytest.mark.parametrize("path", [*ACTS, "/enter"])
def test_nothing_is_done_by_following_a_link(visit: Visit, site: Watched, path: str) -> None:
    assert visit.signed_in().get(path).status_code in (404, 405)
    assert untouched(site)


def test_a_wrong_token_opens_nothing(visit: Visit) -> None:
    for token in ("", "x", "é", visit.door.token[:-1]):
        answer = visit.post("/enter", token=token)
        assert (answer.status_code, answer.headers.get("Set-Cookie")) == (403, None)


def test_the_session_cookie_is_out_of_reach_of_scripts_and_other_sites(visit: Visit) -> None:
    cookie = visit.post("/enter", token=visit.door.token).headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and visit.door.token not in cookie


def test_the_token_is_on_no_page(visit: Visit) -> None:
    visit.signed_in()
    assert all(visit.door.token not in visit.get(path).text for path in READS)


def test_pause_and_resume_are_notes_for_the_next_firing(visit: Visit, site: Watched) -> None:
    visit.signed_in()
    assert visit.post("/pause", why="fog\x1b").status_code == 303
    assert str(site.journal.note(PAUSED)).endswith(": fog\\x1b")
    assert "Paused" in visit.get("/").text
    assert visit.post("/resume").status_code == 303
    assert site.journal.note(PAUSED) is None


def test_resume_closes_the_breaker(visit: Visit, made: tuple[Watched, Pages]) -> None:
    _, pages = made
    for number in range(3):
        pages.run(f"f{number}", Failed("gate", "broke"))
    assert "The breaker is open" in visit.signed_in().get("/").text
    visit.post("/resume")
    assert "The breaker is open" not in visit.get("/").text


@pytest.mark.parametrize("word", ["approve", "reject"])
def test_a_word_about_a_waiting_cycle_is_recorded_once_and_carried_out_by_nobody_here(
    visit: Visit, site: Watched, word: str
) -> None:
    visit.signed_in()
    answer = visit.post(f"/cycles/c1/{word}", why="because")
    assert (answer.status_code, answer.headers["Location"]) == (303, "/cycles/c1")
    said = given(site.journal, "c1")
    assert said and (said.word, said.who, said.why) == (word, "the page (127.0.0.1)", "because")
    assert site.journal.run("c1").outcome == "waiting"
    assert f"{word}</strong> was asked for by the page (127.0.0.1)" in visit.get("/cycles/c1").text
    for again in ("approve", "reject"):
        refused = visit.post(f"/cycles/c1/{again}")
        assert refused.status_code == 409 and "was said already" in refused.text
    assert given(site.journal, "c1") == said


def test_what_does_not_wait_cannot_be_approved(visit: Visit, made: tuple[Watched, Pages]) -> None:
    made[1].run("c2", Committed("e" * 40, "f" * 40, "added y"))
    answer = visit.signed_in().post("/cycles/c2/approve")
    assert answer.status_code == 409 and "does not wait: it is committed" in answer.text


@pytest.mark.parametrize("path", ["/cycles/nobody", "/cycles/..%2f..%2fetc", "/nothing", "/cycles/nobody.json"])
def test_what_is_not_there_is_404_on_a_page_of_ours(visit: Visit, path: str) -> None:
    answer = visit.get(path)
    assert answer.status_code == 404 and "To the overview" in answer.text
    assert "Content-Security-Policy" in answer.headers


def test_a_large_form_is_refused_before_it_is_read(visit: Visit, site: Watched) -> None:
    assert visit.signed_in().post("/pause", why="x" * 20_000).status_code == 413
    assert untouched(site)


def test_after_signing_out_the_old_forms_are_worth_nothing(visit: Visit, site: Watched) -> None:
    visit.signed_in()
    assert visit.post("/leave").status_code == 303
    assert visit.post("/pause").status_code == 403
    assert untouched(site)


def test_forms_are_shown_only_to_who_has_signed_in(visit: Visit) -> None:
    before = visit.get("/cycles/c1").text
    assert "Sign in" in visit.get("/").text and "<form" not in before
    after = visit.signed_in().get("/cycles/c1").text
    assert after.count("<form") == 2 and after.count(f'value="{visit.seal}"') == 2


def test_it_listens_where_it_says_and_not_twice(site: Watched) -> None:
    server = Server.listening(site, "127.0.0.1", 0, ("Plusone.Example:443",))
    try:
        port = server.port
        assert server.address == f"http://127.0.0.1:{port}/"
        assert server.door.knows(f"localhost:{port}") and server.door.knows("plusone.example:443")
        assert not server.door.knows("localhost") and not server.door.knows(HERE)
        with pytest.raises(ConfigError, match="choose another"):
            Server.listening(site, "127.0.0.1", port)
    finally:
        server.stop()
