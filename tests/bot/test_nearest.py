"""The reviewer is shown the keys that are nearest; being near is no objection."""

from __future__ import annotations

from bot.agents.briefs import nearest

KNOWN = {
    "feature/archive-by-year": "committed 1a2b3c",
    "feature/archive-by-month": "rejected: too many pages",
    "feature/rss-feed": "configured",
    "articles/the-keepers": "at base",
    "articles/keeping-the-light": "at base",
    "url_map/GET%20%2Farchives": "at base",
}


def test_the_keys_with_the_most_words_in_common_come_first_with_how_they_are_known() -> None:
    found = nearest("yearly archive", KNOWN)
    assert found[0] == "feature/archive-by-year: committed 1a2b3c"
    assert "feature/archive-by-month: rejected: too many pages" in found
    assert not any("rss" in one for one in found)


def test_endings_and_small_words_do_not_count() -> None:
    assert nearest("the keeper", KNOWN) == ["articles/the-keepers: at base"]
    assert nearest("by the", KNOWN) == []


def test_eight_are_shown_at_most_the_shorter_first() -> None:
    known = {f"articles/fog-{'x' * number}": "" for number in range(1, 20)}
    found = nearest("fog", known)
    assert len(found) == 8 and found[0] == "articles/fog-x: "
