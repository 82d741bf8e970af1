"""What the site still holds of what was added, and the keys that a claim is remembered under."""

from __future__ import annotations

import pytest

from bot.model import Addition, Claim, Range
from guards.facts import adds
from ledger.contents import Added
from ledger.standing import claimed, gone, standing
from tests.support.holdings import BASE, facts, holdings, registry

ONE, MAY = Range(1, 1), Range(0, 2)
ADDITIONS = (
    Addition("article", {"articles": ONE}),
    Addition("project", {"projects": ONE, "url_map": MAY}),
    Addition("feature", {"url_map": MAY}),
)


def added(key: str, commit: str = "c1") -> Added:
    return Added(key, commit, "2026-11-30", "cycle")


HELD = holdings(registry("articles", "a", "c/d"), rules=("/", "/feed"))


def test_all_that_a_tree_holds_stands_in_ledger_keys() -> None:
    assert standing(HELD) == ("articles/c%2Fd", "articles/a", "url_map/GET%20%2Ffeed", "url_map/GET%20%2F")


def test_an_entry_that_is_not_there_any_more_is_gone_and_one_of_an_unknown_registry_is_not() -> None:
    keys = [added(key) for key in ("articles/a", "articles/b", "articles/c%2Fd", "keepers/tom", "feature/x")]
    assert gone(keys, HELD) == {"articles/b"}


@pytest.mark.parametrize(
    ("rules", "is_gone"),
    [(("%2Ffeed",), False), (("%2Fgone",), True), (("%2Fgone", "%2Ffeed"), False), ((), False)],
)
def test_a_feature_is_gone_with_all_the_rules_that_came_with_it(rules: tuple[str, ...], is_gone: bool) -> None:
    keys = [added("feature/x"), *(added(f"url_map/GET%20{rule}") for rule in rules), added("url_map/GET%20%2Fz", "c2")]
    assert ("feature/x" in gone(keys, HELD)) is is_gone


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("article", ("articles/c%2Fd",)),
        ("project", ("projects/c%2Fd",)),
        ("feature", ("feature/c%2Fd",)),
        ("poem", ("poem/c%2Fd",)),
    ],
)
def test_a_claim_is_remembered_under_the_keys_that_it_would_have_added(kind: str, keys: tuple[str, ...]) -> None:
    assert claimed(Claim(kind, "c/d", ""), ADDITIONS) == keys


def test_the_guards_spell_what_was_added_as_the_claim_is_remembered() -> None:
    grown = holdings(registry("articles", "a", "b", "c"), registry("projects", "p"))
    claim = Claim("article", "c", "")
    assert adds(facts(grown, claim, BASE, additions=ADDITIONS)) == claimed(claim, ADDITIONS)
