"""Two names are alike when only their spelling differs."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards.alike import marks, rule_mark, title_mark

ALIKE = [
    ("harbour-lights", "Harbour_Lights"),
    ("harbour-lights", "harbour lights"),
    ("harbour-lights", "lights-harbour"),
    ("rss-feed", "rssfeed"),
    ("rss-feed", "RSS.feed"),
    ("area-51", "area51"),
    ("2019-review", "review-2019"),
    ("keepers'-row", "keepers-row"),
    ("ﬁsh", "fish"),
    ("lamp\u200b-oil", "lamp-oil"),
    ("灯塔-历史", "历史-灯塔"),
    ("a/b", "b-a"),
]
DIFFERENT = [
    ("archive-by-year", "archive-by-month"),
    ("rss-feed", "json-feed"),
    ("c", "c++"),
    ("c#", "c++"),
    ("release-1-11", "release-11-1"),
    ("release-1-11", "release-111"),
    ("part-1-of-2", "part-2-of-1"),
    ("lamp", "lamps"),
    ("灯塔", "灯船"),
    ("?", "!"),
    ("keepers", "the-keepers"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_the_spelling_makes_no_new_name(one: str, other: str) -> None:
    assert marks(one) & marks(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_near_is_not_alike(one: str, other: str) -> None:
    assert not marks(one) & marks(other)


@given(st.text(), st.text())
def test_every_name_is_alike_itself_and_likeness_has_no_direction(one: str, other: str) -> None:
    assert marks(one) & marks(one)
    assert bool(marks(one) & marks(other)) == bool(marks(other) & marks(one))
    assert isinstance(title_mark(one), str) and isinstance(rule_mark(one), str)


def test_titles_keep_the_order_of_words() -> None:
    assert title_mark("Reading a light!") == title_mark("reading a  LIGHT")
    assert title_mark("The keeper of the lamp") != title_mark("The lamp of the keeper")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("GET /rss-feed", "GET /rss_feed/", True),
        ("GET /RSS-feed", "GET /rssfeed", True),
        ("GET /a/<slug>", "GET /a/<name>", True),
        ("GET /a/<int:n>", "GET /a/<int:year>", True),
        ("GET /a/<int:n>", "GET /a/<n>", False),
        ("GET /tags/articles", "GET /articles/tags", False),
        ("GET /feed", "POST /feed", False),
        ("GET /", "GET /feed", False),
        ("GET /feed.xml", "GET /feed.json", False),
    ],
)
def test_rules_are_told_by_their_path(one: str, other: str, same: bool) -> None:
    assert (rule_mark(one) == rule_mark(other)) == same
