"""The table of changes, accepted and rejected, over all guards at once."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.model import AddedLine, Addition, Change, Claim, Entry, Holdings, Limits, Objection, Range, Registry
from guards import GUARDS
from guards.facts import Facts, adds, spelt
from tests.support.holdings import BASE, PAIR, facts, holdings, line, registry, rule

CLAIM = Claim("article", "c", "One article about the harbour lights.")
IDEA = Claim("feature", "rss-feed", "A feed.", ("/feed",))
GROWN = holdings(registry("articles", "a", "b", "c"), registry("projects", "p"))


def site(articles: Registry, projects: Registry | None = None, *rules: str, taken: str = "") -> Holdings:
    kept = tuple(path for path in ("/", "/articles/<slug>") if path != taken)
    return holdings(articles, projects or registry("projects", "p"), rules=(*kept, *rules))


def with_rules(*rules: str, taken: str = "") -> Holdings:
    return site(registry("articles", "a", "b"), None, *rules, taken=taken)


def spelt_out(held: Holdings, *without: str, **contents: str) -> Holdings:
    """The same, with a source that spells the articles out; `contents` are entries as the source has them."""
    keys = dict.fromkeys((*(one.key for one in held.registry("articles").entries), *contents))
    entries = tuple(Entry(key, contents.get(key, "{}")) for key in keys if key not in without)
    return replace(held, written=(Registry("articles", entries),))


PROJECT = Addition("project", {"projects": Range(1, 1), "url_map": Range(0, 1)})
BOTH = Addition("both", {"articles": Range(1, 1), "projects": Range(1, 1)})


def judged(given: Facts) -> list[Objection]:
    return [objection for guard in GUARDS for objection in guard(given)]


def codes(given: Facts) -> set[str]:
    return {objection.code for objection in judged(given)}


ACCEPTED: dict[str, Facts] = {
    "an article at the end": facts(GROWN, CLAIM),
    "an article at the front": facts(site(registry("articles", "c", "a", "b")), CLAIM),
    "an article between": facts(site(registry("articles", "a", "c", "b")), CLAIM),
    "an article between, the others in another order": facts(site(registry("articles", "b", "c", "a")), CLAIM),
    "the first article ever": facts(site(registry("articles", "c")), CLAIM, site(registry("articles"))),
    "a feature with one route": facts(with_rules("/feed"), IDEA),
    "a feature with two routes": facts(with_rules("/feed", "/feed.xml"), IDEA),
    "a feature without a route": facts(BASE, Claim("feature", "dark-mode", "Dark.")),
    "a feature that claims an old page": facts(with_rules("/feed"), Claim("feature", "x", "", ("/articles/a?x=1",))),
    "a feature that claims an absence": facts(with_rules("/feed"), Claim("feature", "x", "", ("/gone -> 404",))),
    "a pair where pairs are declared": facts(
        site(registry("articles", "a", "b", "c", "d")), Claim("pair", "d", ""), additions=(PAIR,)
    ),
    "a project with its template rule": facts(
        site(registry("articles", "a", "b"), registry("projects", "p", "q"), "/projects/q"),
        Claim("project", "q", ""), additions=(PROJECT,),
    ),
    "a project without the rule that it may bring": facts(
        site(registry("articles", "a", "b"), registry("projects", "p", "q")),
        Claim("project", "q", ""), additions=(PROJECT,),
    ),
    "source and site agree": facts(spelt_out(GROWN, c="{}"), CLAIM, spelt_out(BASE)),
    "an entry that only running makes": facts(spelt_out(GROWN, c=""), CLAIM, spelt_out(BASE)),
    "old debt: the site adds entries of its own": facts(spelt_out(GROWN, "b", c="{}"), CLAIM, spelt_out(BASE, "b")),
    "old debt: the site changes what the source says": facts(
        spelt_out(GROWN, a="7", c="8"), CLAIM, spelt_out(BASE, a="7")
    ),
    "another change than was tried": facts(GROWN, CLAIM, patch="p2", attempts={"p1": "too dull", "": "?"}),
    "a change of no text": facts(GROWN, CLAIM, attempts={"": "?"}),
    "a literal that becomes a loop": facts(GROWN, CLAIM, spelt_out(BASE)),
    "old debt: a duplicate that base has": facts(
        site(registry("articles", "a", "a", "c")), CLAIM, site(registry("articles", "a", "a"))
    ),
    "a key with blanks and slashes": facts(
        site(registry("articles", "a", "b", "c/d é")), Claim("article", "c/d é", "")
    ),
    "what the ledger knows is something else": facts(GROWN, CLAIM, known={"articles/cc": "x", "projects/c": "y"}),
    "at the limits": facts(GROWN, CLAIM, limits=Limits(1, 1, 100), added=(line("x"),)),
    "large files of the bot's own": facts(
        GROWN,
        CLAIM,
        limits=Limits(1, 1, 100),
        changes=(Change("content.py", "changed", size=9), Change("zh.po", "changed", size=9999, by="bot")),
        added=tuple(AddedLine("zh.po", n, "x") for n in range(50)),
    ),
    "lines of the bot's own in a file of the agent's": facts(
        GROWN,
        CLAIM,
        limits=Limits(1, 1, 100),
        changes=(Change("zh.po", "changed", size=9, bot_lines=49),),
        added=tuple(AddedLine("zh.po", n, "x") for n in range(50)),
    ),
    "a picture": facts(GROWN, CLAIM, changes=(Change("a/lamp.PNG", "added"),), binaries=("a/lamp.PNG",)),
}  # fmt: skip

REJECTED: dict[str, tuple[set[str], Facts]] = {
    "nothing at all": ({"nothing-added"}, facts(BASE, CLAIM)),
    "a file of base that is gone": (
        {"file-removed"},
        facts(GROWN, CLAIM, changes=(Change("content.py", "changed", size=9), Change("text.py", "deleted"))),
    ),
    "a feature that changes no file": ({"nothing-added"}, facts(BASE, Claim("feature", "x", ""), changes=())),
    "two articles": ({"too-many"}, facts(site(registry("articles", "a", "b", "c", "d")), CLAIM)),
    "one where two make a thing": ({"too-few"}, facts(GROWN, Claim("pair", "c", ""), additions=(PAIR,))),
    "three routes": ({"too-many"}, facts(with_rules("/feed", "/1", "/2"), IDEA)),
    "an article and a route": (
        {"two-kinds"},
        facts(site(registry("articles", "a", "b", "c"), None, "/feed"), CLAIM),
    ),
    "an article and a project": (
        {"two-kinds"},
        facts(site(registry("articles", "a", "b", "c"), registry("projects", "p", "q")), CLAIM),
    ),
    "a project, which nobody declared": (
        {"undeclared"},
        facts(site(registry("articles", "a", "b"), registry("projects", "p", "q")), CLAIM),
    ),
    "an entry removed": ({"nothing-added", "removed"}, facts(site(registry("articles", "a")), CLAIM)),
    "an entry swapped": ({"removed"}, facts(site(registry("articles", "a", "c")), CLAIM)),
    "an entry edited": ({"edited"}, facts(site(registry("articles", "a", "b", "c", a='{"t": 1}')), CLAIM)),
    "an entry edited, and the order with it": (
        {"edited"}, facts(site(registry("articles", "b", "c", "a", a='{"t": 1}')), CLAIM)
    ),
    "a project with two rules": (
        {"too-many"},
        facts(site(registry("articles", "a", "b"), registry("projects", "p", "q"), "/1", "/2"),
              Claim("project", "q", ""), additions=(PROJECT,)),
    ),
    "a rule without its project": (
        {"too-few"}, facts(with_rules("/projects/q"), Claim("project", "q", ""), additions=(PROJECT,))
    ),
    "one half of a pair of kinds": (
        {"too-few"}, facts(GROWN, Claim("both", "c", ""), additions=(BOTH,))
    ),
    "an entry that the source has and the site hides": (
        {"views-disagree", "nothing-added"}, facts(spelt_out(BASE, c="{}"), CLAIM, spelt_out(BASE))
    ),
    "an entry that the source does not have": (
        {"views-disagree"}, facts(spelt_out(GROWN, "c"), CLAIM, spelt_out(BASE))
    ),
    "an entry that the site changes behind the source": (
        {"views-disagree"}, facts(spelt_out(GROWN, c="8"), CLAIM, spelt_out(BASE))
    ),
    "the first literal, and it lies": ({"views-disagree"}, facts(spelt_out(GROWN, "a", c="{}"), CLAIM)),
    "a change that was tried before": ({"tried-before"}, facts(GROWN, CLAIM, patch="p1", attempts={"p1": "too dull"})),
    "a field given twice": (
        {"duplicate-field"},
        facts(site(registry("articles", "a", "b", "c", c='{"meta": [{"<again>": ["title"], "title": "x"}]}')), CLAIM),
    ),
    "another registry edited": (
        {"edited"},
        facts(site(registry("articles", "a", "b", "c"), registry("projects", "p", p="7")), CLAIM),
    ),
    "a second slug": (
        {"duplicate-key", "claim-key"},
        facts(site(registry("articles", "a", "b", "b")), CLAIM),
    ),
    "a dict key that overwrites": (
        {"duplicate-key", "edited"},
        facts(site(registry("articles", "a", "a", "b", a='"new"')), Claim("article", "a", "")),
    ),
    "a rule removed": ({"removed"}, facts(with_rules("/feed", taken="/"), IDEA)),
    "a rule given twice": ({"duplicate-key", "claim-route"}, facts(with_rules("/"), IDEA)),
    "a rule with another endpoint": (
        {"edited"},
        facts(Holdings(BASE.registries, (rule("/", "other"), rule("/articles/<slug>"), rule("/feed"))), IDEA),
    ),
    "a kind that is not declared": ({"unknown-kind"}, facts(GROWN, Claim("poem", "c", ""))),
    "a feature that is an article": ({"claim-kind"}, facts(GROWN, Claim("feature", "c", ""))),
    "an article that is a feature": ({"claim-kind"}, facts(with_rules("/feed"), CLAIM)),
    "another key than claimed": ({"claim-key"}, facts(GROWN, Claim("article", "d", ""))),
    "a claimed route that is not there": ({"claim-route"}, facts(with_rules("/feed.xml"), IDEA)),
    "a claimed method that is not there": (
        {"claim-route"},
        facts(with_rules("/feed"), Claim("feature", "x", "", ("POST /feed",))),
    ),
    "a claimed route that is no route": (
        {"claim-route"},
        facts(with_rules("/feed"), Claim("feature", "x", "", ("feed -> soon",))),
    ),
    "a key that the ledger knows": ({"known"}, facts(GROWN, CLAIM, known={"articles/c": "committed"})),
    "a known key in capitals": (
        {"known"},
        facts(site(registry("articles", "a", "b", "The_Lamp")), Claim("article", "The_Lamp", ""),
              known={"articles/the-lamp": "rejected"}),
    ),
    "a known feature": ({"known"}, facts(with_rules("/feed"), IDEA, known={"feature/rss-feed": "known"})),
    "a known rule": ({"known"}, facts(with_rules("/feed"), IDEA, known={"url_map/GET%20%2Ffeed": "known"})),
    "too many files": ({"too-many-files"}, facts(GROWN, CLAIM, limits=Limits(0, 9, 999))),
    "too many lines": ({"too-many-lines"}, facts(GROWN, CLAIM, limits=Limits(9, 1, 999), added=(line("x"), line("y")))),
    "too large a file": ({"file-too-large"}, facts(GROWN, CLAIM, limits=Limits(9, 9, 99))),
    "a program": ({"binary-file"}, facts(GROWN, CLAIM, changes=(Change("x.so", "added"),), binaries=("x.so",))),
    "a secret": ({"secret"}, facts(GROWN, CLAIM, added=(line("KEY = 'AKIA" + "Q7RTZ2M4" * 2 + "'"),))),
}  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED)
def test_a_good_change_meets_no_objection(name: str) -> None:
    assert judged(ACCEPTED[name]) == []


@pytest.mark.parametrize("name", REJECTED)
def test_a_bad_change_meets_exactly_its_objections(name: str) -> None:
    expected, given = REJECTED[name]
    assert codes(given) == expected


def test_every_objection_is_complete_and_the_guards_own() -> None:
    for _, wrong in REJECTED.values():
        for one in judged(wrong):
            assert one.node == "guards" and one.subject and one.what and one.accept, one


def test_an_objection_names_what_it_saw_and_where() -> None:
    grown = site(registry("articles", "a", "b", "c", "harbour-lights"))
    (one,) = judged(facts(grown, CLAIM, added=(line("x"), line('    "slug": "harbour-lights",', number=7))))
    assert (one.code, one.where, one.subject) == ("too-many", "content.py:7", "articles")
    assert "2 new (c, harbour-lights)" in one.seen and "article (1 new in articles)" in one.accept


def test_an_edit_is_shown_where_it_is() -> None:
    (one,) = judged(REJECTED["an entry edited"][1])
    assert one.subject == "articles/a" and '{"t": 1}' in one.seen


def test_what_was_added_is_told_in_ledger_keys() -> None:
    assert adds(facts(GROWN, CLAIM)) == ("articles/c",)
    assert adds(facts(with_rules("/feed"), IDEA)) == ("feature/rss-feed", "url_map/GET%20%2Ffeed")
    assert adds(facts(BASE, Claim("feature", "dark mode", ""))) == ("feature/dark%20mode",)
    assert spelt("articles", "c/d é") == "articles/c%2Fd%20%C3%A9"


KEYS = st.lists(st.sampled_from("abcdefgh"), max_size=6, unique=True)
CONTENTS = st.sampled_from(['{"t": 2}', '{"t": 1}'])


def _registry(keys: list[str], draw: Any) -> list[Entry]:
    return [Entry(key, draw(CONTENTS)) for key in keys]


@st.composite
def edits(draw: Any) -> tuple[list[Entry], list[Entry]]:
    """A registry, and what one to three small edits make of it."""
    base = _registry(draw(KEYS), draw)
    new = list(base)
    for _ in range(draw(st.integers(0, 3))):
        at = draw(st.integers(0, len(new)))
        match draw(st.sampled_from(["insert", "insert", "remove", "edit", "swap"])):
            case "insert":
                new.insert(at, Entry(draw(st.sampled_from("abcdefghxyz")), draw(CONTENTS)))
            case "remove" if at < len(new):
                del new[at]
            case "edit" if at < len(new):
                new[at] = Entry(new[at].key, draw(CONTENTS))
            case "swap" if at + 1 < len(new):
                new[at], new[at + 1] = new[at + 1], new[at]
    return base, new


def _is_one_insertion(base: list[Entry], new: list[Entry]) -> bool:
    """Order apart: one entry more, of a key that base does not have."""
    more, less = Counter(new) - Counter(base), Counter(base) - Counter(new)
    fresh = [one for one in more.elements() if one.key not in {old.key for old in base}]
    return not less and more.total() == 1 and len(fresh) == 1


@settings(max_examples=60, deadline=None)
@given(edits())
def test_exactly_one_holds_if_and_only_if_the_edit_is_one_insertion(pair: tuple[list[Entry], list[Entry]]) -> None:
    base, new = pair
    held = [Holdings((Registry("articles", tuple(entries)),), BASE.rules) for entries in (base, new)]
    fresh = [one.key for one in new if one.key not in {old.key for old in base}]
    claim = Claim("article", fresh[0] if fresh else "x", "")
    assert (judged(facts(held[1], claim, held[0])) == []) == _is_one_insertion(base, new)
