"""What may be held against a page, and how it is told."""

from __future__ import annotations

from bot.model import Origin, Response
from gates.compare import compare, moves
from gates.finding import objections
from gates.page import PageFacts, facts
from gates.question import Question

LONG = "".join(f"<li><a href=/{n}>Light number {n}</a></li>" for n in range(6))
SHORT = "".join(f"<li><a href=/{n}>Light number {n}</a></li>" for n in range(4))
REST = "".join(f"<li><a href=/{n}>Light number {n}</a></li>" for n in range(4, 6))


def asked(url: str, body: str, status: int = 200, locale: str = "", **more: object) -> tuple[Question, PageFacts]:
    one = Question("GET", url, locale=locale)
    response = Response(status, (("Content-Type", "text/html"),), body.encode(), **more)  # type: ignore[arg-type]
    return one, facts(response, one.whole)


def told(
    base: list[tuple[Question, PageFacts]], candidate: list[tuple[Question, PageFacts]], *changes: str
) -> list[tuple[str, str]]:
    questions = [one for one, _ in candidate]
    before, now = ({one.key: page for one, page in side} for side in (base, candidate))
    found = compare(questions, before, now, moves(before, now, questions, (1,)), changes)
    return [(one.code, one.subject) for one in objections(found)]


def test_a_page_that_means_to_change_may_lose_what_another_page_has() -> None:
    base = [asked("/all", LONG)]
    paged = [asked("/all", SHORT), asked("/all?page=2", REST)]
    assert told(base, paged) == [("page-lost", "/all")]
    assert told(base, paged, "/all") == []
    assert told(base, [asked("/all", SHORT)], "/all") == [("page-lost", "/all")]


def test_no_page_may_lose_most_of_its_text_even_when_it_means_to_change() -> None:
    base = [asked("/all", f"<p>{'word ' * 40}</p>")]
    assert told(base, [asked("/all", ""), asked("/new", f"<p>{'word ' * 40}</p>")], "/all") == [
        ("page-emptied", "/all")
    ]


def test_one_fault_in_two_locales_is_one_objection_that_names_both() -> None:
    base = [asked("/", "<h1>A</h1>", locale=code) for code in ("en", "zh")]
    broken = [asked("/", "", 500, code, origin=Origin("KeyError", "app.py", 4, "'a'")) for code in ("en", "zh")]
    before, now = ({one.key: page for one, page in side} for side in (base, broken))
    found = compare([one for one, _ in base], before, now, moves({}, {}, [], ()), ())
    (one,) = objections(found)
    assert (one.code, one.where, one.subject) == ("status-changed", "app.py:4", "/")
    assert "(en, zh)" in one.what and one.seen == "500; before: 200; KeyError: 'a' at app.py:4"


def test_only_the_first_difference_of_a_page_is_told() -> None:
    assert told([asked("/", "<h1>A</h1>")], [asked("/", "", 404)]) == [("status-changed", "/")]
    assert told([asked("/", "a", endpoint="home")], [asked("/", "b", endpoint="other")]) == [("endpoint-changed", "/")]
