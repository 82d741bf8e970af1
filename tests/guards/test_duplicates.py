"""What is there already is found under another spelling, an equal title or a copied text; a neighbour is not."""

from __future__ import annotations

import random
from typing import Any

import pytest

from bot.model import Claim
from guards.duplicates import duplicates
from guards.facts import Facts
from guards.unknown_to_ledger import unknown_to_ledger
from tests.support.changes import codes, grown, told
from tests.support.holdings import BASE, facts, holdings, registry

BELL = """The fog bell weighs half a ton and hung on a ledge that is dry for an hour at low springs. It took three
summers to find a day with both a low tide and a flat sea, and then a fishing boat lifted it with a borrowed derrick."""
LENS = """The lens has two hundred and forty prisms. Each has an upper and a lower face, and each face takes about four
minutes. The rules on the door are from 1862: linen apron, no buttons, no rings, no talking on the ladder."""
MAST = """Before there was a forecast on the radio there was a mast on the hill. A telegram came from the capital, and
a black cone went up: point upwards for a northerly gale, point down for a southerly one."""
HORN = """A bell does not carry far against the wind. In 1926 the port put a horn on the rock and turned it towards the
open sea, and the first fog came from the land. The mole has a page of complaints from that week."""
ZH = "雾钟重达半吨，悬挂在一块岩架上，只有在大潮低潮时才露出水面一个小时。等了三个夏天，才等到风平浪静。"


def row(slug: str, title: str = "", body: str = "", **more: Any) -> dict[str, Any]:
    return {"slug": slug, "title": title or slug.replace("-", " ").title(), "body": body or slug, **more}


OLD = [row("the-bell", body=BELL), row("the-lens", body=LENS), row("the-mast", body=MAST)]
FOOT = " Open on Sundays from two to five, in winter by appointment with the society, and free of charge for children."


def spoilt(text: str, share: float) -> str:
    chance = random.Random(3)
    return " ".join(word if chance.random() > share else f"w{chance.randrange(999)}" for word in text.split())


def with_rules(*rules: str) -> Facts:
    old = ("/", "/articles/<slug>", "/rss-feed")
    return facts(holdings(*BASE.registries, rules=(*old, *rules)), Claim("feature", "x", ""),
                 holdings(*BASE.registries, rules=old))  # fmt: skip


ACCEPTED: dict[str, Facts] = {
    "something new": grown(OLD, row("the-horn", body=HORN)),
    "a name that is merely near": grown([row("archive-by-year")], row("archive-by-month")),
    "another title in the same words": grown([row("a", "The keeper of the lamp")], row("b", "The lamp of the keeper")),
    "a title that siblings share anyway": grown([row("a", "Notes"), row("b", "Notes")], row("c", "Notes")),
    "a project named like an old one": grown(
        [{"slug": "the-mole-lantern", "name": "The Mole Lantern"}],
        {"slug": "the-mole-lantern-ii", "name": "The Mole Lantern II"},
    ),
    "a text that quotes a sibling": grown(OLD, row("the-horn", body=HORN + " " + BELL[:90])),
    "a text about the same thing": grown(OLD, row("the-bell-again", body=spoilt(BELL, 0.5))),
    "the registry's own phrases": grown(
        [row(f"p{n}", f"P {n}", f"{place} is old." + FOOT) for n, place in enumerate(("Mole", "Rock", "Quay", "Hill"))],
        row("p9", "P 9", "Row is old." + FOOT),
    ),
    "a short text that is a sibling's": grown([row("a", body="Open on Sundays.")], row("b", body="Open on Sundays.")),
    "another Chinese text": grown([row("a", body=ZH)], row("b", "B", "港口的灯是绿色的，因为船只从左侧驶过。" * 2)),
    "a first entry": grown([], row("a", body=BELL)),
    "entries that are no mappings": facts(
        holdings(registry("articles", "a", "b", "c", a='"x"', c='"x"')), Claim("article", "c", "")
    ),
    "a new rule": with_rules("/json-feed"),
    "the same words in another path": with_rules("/slug/articles"),
}
REJECTED: dict[str, tuple[str, Facts]] = {
    "capitals": ("duplicate-name", grown(OLD, row("The-Bell", "Another", HORN))),
    "another separator": ("duplicate-name", grown(OLD, row("the_bell", "Another", HORN))),
    "no separator": ("duplicate-name", grown(OLD, row("thebell", "Another", HORN))),
    "another order": ("duplicate-name", grown(OLD, row("bell-the", "Another", HORN))),
    "an invisible character": ("duplicate-name", grown(OLD, row("the\u200b-bell", "Another", HORN))),
    "an equal title": ("duplicate-title", grown(OLD, row("x", "The Bell", HORN))),
    "a title with other punctuation": ("duplicate-title", grown(OLD, row("x", "The bell!", HORN))),
    "a title in one language": (
        "duplicate-title",
        grown(
            [{"slug": "a", "title": {"en": "Lamp", "zh": "灯"}}], {"slug": "b", "title": {"en": "Light", "zh": "灯"}}
        ),
    ),
    "a text that is a sibling's": ("duplicate-text", grown(OLD, row("x", "X", BELL))),
    "a text with each tenth word replaced": ("duplicate-text", grown(OLD, row("x", "X", spoilt(BELL, 0.1)))),
    "a text with a sentence before it": ("duplicate-text", grown(OLD, row("x", "X", "It rang once. " + BELL))),
    "a text in two fields": ("duplicate-text", grown(OLD, row("x", "X", BELL[:110], more=BELL[110:]))),
    "the body of a file": ("duplicate-text", grown([{"slug": "a", "<body>": BELL}], {"slug": "b", "<body>": BELL})),
    "a Chinese text": ("duplicate-text", grown([row("a", body=ZH)], row("b", "B", "很久以前，" + ZH))),
    "a rule with another separator": ("duplicate-name", with_rules("/rss_feed")),
    "a rule with another argument": ("duplicate-name", with_rules("/articles/<name>")),
    "a rule with a last slash": ("duplicate-name", with_rules("/rss-feed/")),
}


@pytest.mark.parametrize("name", ACCEPTED)
def test_what_is_new_passes(name: str) -> None:
    assert told(duplicates, ACCEPTED[name]) == []


@pytest.mark.parametrize("name", REJECTED)
def test_what_is_there_already_is_refused(name: str) -> None:
    code, given = REJECTED[name]
    assert codes(duplicates, given) == {code}


def test_the_twin_is_named() -> None:
    (one,) = duplicates(grown(OLD, row("x", "X", BELL)))
    assert one.subject == "articles/x" and "'the-bell'" in one.seen and "100%" in one.seen


def test_a_known_key_is_known_in_any_spelling_and_order() -> None:
    for key in ("articles/new", "articles/NEW", "Articles/new"):
        assert codes(unknown_to_ledger, grown([], row("new"), known={key: "rejected"})) == {"known"}
    for key in ("articles/news", "projects/new"):
        assert codes(unknown_to_ledger, grown([], row("new"), known={key: "rejected"})) == set()
    given = grown([], row("fog-horn"), known={"articles/horn_fog": "removed by a person"})
    (one,) = unknown_to_ledger(given)
    assert "removed by a person" in one.seen
