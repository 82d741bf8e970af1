"""When two pages are one page under two names, and when a change shows."""

from __future__ import annotations

from collections import Counter

from bot.model import Response
from gates.effect import differing, effective
from gates.likeness import ALIKE, Content, content, frame, likeness, nameless, same
from gates.page import PageFacts, facts
from gates.question import Question

FRAME = "<nav><a href=/>Home</a></nav><footer>The society of lamps</footer>"
SEARCH = "<form action={0}><input name=q></form><p>3 found</p><ul><li><a href=/a>A lamp</a></li></ul>"


def page(body: str, url: str = "/") -> PageFacts:
    return facts(Response(200, (("Content-Type", "text/html"),), (FRAME + body).encode()), f"http://localhost{url}")


def alike(one: str, other: str) -> float:
    shared = frame([page(f"<p>{n}</p>") for n in range(4)])
    first, second = content(page(one, "/one"), "/one", shared), content(page(other, "/other"), "/other", shared)
    return likeness(nameless(first, "/one"), nameless(second, "/other"))


def test_the_same_page_under_another_name_is_alike() -> None:
    assert alike(SEARCH.format("/one"), SEARCH.format("/other")) == 1.0
    assert alike(SEARCH.format("/one"), "<h1>Find</h1>" + SEARCH.format("/other")) >= ALIKE * 0.8


def test_a_link_to_itself_does_not_tell_a_page_from_its_twin() -> None:
    assert alike("<a href=#main>Skip</a><p>Colza oil.</p>", "<a href=#main>Skip</a><p>Colza oil.</p>") == 1.0
    assert alike("<a href=/one>Here</a><p>Colza oil.</p>", "<a href=/one>Here</a><p>Colza oil.</p>") < ALIKE
    assert alike("<a href=#main>Skip</a><p>Colza oil.</p>", "<a href=#main>Skip</a><p>Paraffin.</p>") < ALIKE


def test_the_frame_does_not_make_pages_alike() -> None:
    assert alike("<p>tides</p>", "<p>lamps</p>") == 0.0
    assert alike("", "") == 0.0


def test_few_pages_have_no_frame() -> None:
    assert not frame([page(""), page("")])


def test_a_change_shows_only_where_chance_cannot_explain_it() -> None:
    clock = [page(f"<p>{n}</p><p>lamps</p>") for n in range(6)]
    assert not effective(clock[:4], clock[4:])
    assert effective(clock[:4], [page("<p>9</p><p>lamps</p><p>new</p>"), page("<p>8</p><p>lamps</p><p>new</p>")])
    assert effective(clock[:4], [page("<p>9</p>"), page("<p>8</p>")])
    assert not effective(clock, clock) and effective(clock, []) and not effective([], [])


def test_pages_that_differ_at_all_are_worth_a_second_look() -> None:

    asked = [Question("GET", "/"), Question("GET", "/same"), Question("GET", "/new")]
    base = {asked[0].key: page("a"), asked[1].key: page("b")}
    now = {asked[0].key: page("c"), asked[1].key: page("b"), asked[2].key: page("d")}
    assert differing(asked, base, now) == (asked[0],)


def told(body: str, path: str) -> tuple[Content, str]:
    return content(page(body, path), path, frozenset()), path


def test_links_of_a_page_to_itself_do_not_tell_it_from_its_twin() -> None:
    skip, menu = (
        "<a href=#content>Skip</a><p>Three lamps burn on the mole</p>",
        "<a href=/one>One</a><a href=/two>Two</a>",
    )
    assert same(told(skip, "/one"), told(skip, "/two"))
    assert same(told(menu + skip, "/one"), told(menu + skip, "/two")) and same(told(menu, "/one"), told(menu, "/two"))
    assert not same(told("<a href=/a>Skip</a>" + skip, "/one"), told("<a href=/b>Skip</a>" + skip, "/two"))
    assert not same(told(skip, "/one"), told(skip + "<p>Four</p>", "/two"))
    assert not same((Counter(), "/one"), (Counter(), "/two"))
