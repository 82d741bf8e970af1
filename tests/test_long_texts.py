"""Texts that the site or the agent chose cost as much time as they are long, whatever they hold."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest

from bot.model import Response, Rule
from gates import rules
from gates.complaint import reading
from gates.entries import appended
from gates.extraction import _patterns
from gates.feed import data
from gates.hiding import hides
from gates.loss import Moves, lost
from gates.page import facts
from guards import python
from guards.claim_holds import _shape
from guards.invisible import invisible
from guards.reach import secret
from guards.static_rules import static_rules
from guards.suppressions import suppressions
from guards.wired_as_before import _SETS
from tests.support.changes import written

LONG = 40_000
URL = "http://localhost/"


def page(body: str) -> object:
    return facts(Response(200, (("Content-Type", "text/html"),), body.encode()), URL)


def guarded(guard: Callable[..., object], path: str) -> Callable[[str], object]:
    return lambda text: list(guard(written(path, text)))  # type: ignore[call-overload]


def rule(text: str) -> Rule:
    return Rule(text, "x", ("GET",), ("x",))


def reached(path: str) -> object:
    shared = rule("/" + "/x".join(["<path:a>"] * 9) + "/y")
    return rules.reaches(shared, path), rules.reaches(rule("/" + "-".join(["<a>"] * 9) + "/y"), path)


def renumbered(text: str) -> object:
    """Each line's number differs, and none rose by what was added."""
    now = re.sub(r"(\d+)", lambda found: str(int(found[0]) + 2 * LONG), text)
    return lost(page(text), page(now), Moves(frozenset(), {}, frozenset({1})))  # type: ignore[arg-type]


CASES: dict[str, tuple[Callable[[str], object], str]] = {
    "marks of direction": (guarded(invisible, "a.md"), "\u200e" * (LONG // 2)),
    "naughts of an opacity": (lambda text: hides("p", {"style": text}), f"opacity:{'0' * LONG}x"),
    "blanks of a height": (lambda text: hides("p", {"style": text}), f"height:0{' ' * LONG}x"),
    "scales of a transform": (lambda text: hides("p", {"style": text}), "transform:scale" * LONG),
    "lists in lists": (page, "<ul><li>" * (LONG // 6)),
    "cards in cards": (page, "<div class=a></div><div class=a><a href=/x>q</a>" * (LONG // 8)),
    "headings in headings": (page, "<h1><div>x " * (LONG // 3)),
    "links in links": (page, "<a href=/x><object>x " * (LONG // 3)),
    "numbers that all changed": (renumbered, "".join(f"<p>a {n}</p>" for n in range(LONG // 8))),
    "blanks that share a path": (reached, "/x" * 3_900),
    "a URL of names that nothing closes": (rules.harmful, "<a(" * (LONG // 2)),
    "places of a message": (lambda text: appended(text.encode(), "en", ()), f"#: {'  ' * LONG}\x01"),
    "a reader's options": (reading, f"extracting messages from {' ()' * LONG}x"),
    "sections that nothing closes": (lambda text: list(_patterns(text)), "[a:\n" * LONG + "\n" * LONG + "x"),
    "settings of secrets": (secret, "secret" * 2 * LONG + "\n"),
    "a setting that is not set": (_SETS.search, "config." * LONG),
    "comments in a comment": (guarded(suppressions, "a.js"), "//eslint" * LONG),
    "skips of a doctest": (guarded(suppressions, "a.py"), "#doctest:" * LONG),
    "blanks of a template": (guarded(static_rules, "a.html"), f"{{{{ autoescape{' ' * LONG}x"),
    "filters that nothing closes": (guarded(static_rules, "a.html"), "{{ a|attr" * (LONG // 2)),
}


@pytest.mark.parametrize("name", CASES)
def test_a_long_text_is_read_in_time_that_grows_with_its_length(name: str) -> None:
    look, text = CASES[name]
    began = time.process_time()
    look(text)
    assert time.process_time() - began < 5


def test_a_rule_of_many_choices_tells_a_bounded_number_of_urls_and_each_value_once() -> None:
    told = rules.urls(rule("/" + "/".join(f"<any(a,b,c{n}):n{n}>" for n in range(40))), ())
    assert len(told) == len(set(told)) == 600
    assert all(any(f"/c{n}" in url for url in told) for n in range(40))


def test_a_claimed_route_is_looked_for_among_rules_with_many_blanks_at_once() -> None:
    began = time.process_time()
    assert _shape("/" + "/x".join(["<path:a>"] * 9) + "/y").filled("/x" * 3_900) is None
    assert _shape("/a/<b>/").filled("/a/b") == ("b", "") and time.process_time() - began < 5


def test_values_below_a_long_key_do_not_each_hold_all_of_it() -> None:
    found = data(f'{{"{"k" * 2_000}": [{"1," * 2_000}1]}}'.encode(), URL)
    assert len(found) == 2_002 and sum(len(part.value) for part in found) < 500 * 2_002
    other = data(f'{{"x{"k" * 1_999}": [1]}}'.encode(), URL)
    assert not {part.value for part in other} & {part.value for part in found}, "long keys are still told apart"


def test_names_of_names_do_not_each_hold_all_the_others() -> None:
    tree = python.parsed("import os\na0 = os.path\n" + "".join(f"a{n + 1} = a{n}.b\n" for n in range(3_000)))
    assert tree is not None
    known = python.Names(tree).known
    assert len(known) == 3_002 and sum(map(len, known.values())) < 600 * 3_002 and known["a3"] == "os.path.b.b.b"
