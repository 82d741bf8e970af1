"""What is wrong with new pages, told from answers alone."""

from __future__ import annotations

import pytest

from bot.model import Response
from gates.arrival import Arrival
from gates.page import facts
from gates.question import Question, Target
from gates.welcome import Scene, faults

UNKNOWN = Question("GET", "/0123456789abcdef", why="unknown", label="/<unknown>")
NEW = Question("GET", "/new", why="claim")
LOST = (
    "<title>Lost</title><a href=#content>Skip to content</a><h1>Not on our chart</h1>"
    "<form action=''><input name=q></form>"
)


def codes(body: str) -> list[str]:
    said = ((UNKNOWN, 404, LOST), (NEW, 200, body))
    html = (("Content-Type", "text/html"),)
    pages = {
        one.key: facts(one.blanked(Response(status, html, text.encode())), one.whole) for one, status, text in said
    }
    scene = Scene((UNKNOWN, NEW), pages, {}, frozenset({UNKNOWN.key}))
    return [one.code for one in faults([Arrival(NEW, 200)], scene)]


def test_the_error_page_is_known_again_though_it_leads_to_itself() -> None:
    assert codes(LOST) == ["new-page-is-missing"]


@pytest.mark.parametrize("more", ["<p>Tides</p>", "<a href=/tides>Skip to content</a>"])
def test_a_page_with_content_of_its_own_is_not_the_error_page(more: str) -> None:
    assert codes(LOST + more) == []


@pytest.mark.parametrize("link", ["/灯塔", "/%E7%81%AF%E5%A1%94", "/%e7%81%af%e5%a1%94"])
def test_a_link_leads_to_a_page_however_its_letters_are_spelt(link: str) -> None:
    new = Question("GET", "/灯塔")
    page = facts(Response(200, (("Content-Type", "text/html"),), b"<title>Lamps</title>"), new.whole)
    scene = Scene((new,), {new.key: page}, {Target("", link): {"/"}}, frozenset())
    assert [*faults([Arrival(new, 200, linked=True)], scene)] == []
    alone = Scene((new,), {new.key: page}, {Target("", link): {link}}, frozenset())
    assert [one.code for one in faults([Arrival(new, 200, linked=True)], alone)] == ["new-page-unlinked"]
