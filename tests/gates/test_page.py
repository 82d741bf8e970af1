"""What a page has, what two runs share, and what a change lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.model import Origin, Response
from gates.address import _joined, absolute
from gates.loss import Moves, lost
from gates.loss import listed as listing
from gates.page import PageFacts, facts, shared, together

NOTHING = Moves(frozenset(), {}, frozenset())
URL = "http://localhost/lights/"
SENT = frozenset({"access", "charset", "delivery", "listing"})  # what the headers say, on every page


def page(body: str | bytes, kind: str = "text/html; charset=utf-8") -> PageFacts:
    raw = body if isinstance(body, bytes) else body.encode()
    return facts(Response(200, (("Content-Type", kind),), raw, "home"), URL)


def values(one: PageFacts) -> set[tuple[str, str]]:
    return {part.identity for part, _ in one.parts if part.kind not in SENT}


def test_a_page_is_taken_apart() -> None:
    found = page(
        '<html lang="en"><head><title> The  lights </title><meta name="description" content="x"></head><body>'
        '<header><nav><a href="../about#top">About</a></nav></header><main><h1>Lights <em>here</em></h1>'
        "<p>Two <b>bold</b> words</p><script>var x</script><img src=pic.png>"
        '<form method="post" action="/send"><input name="q"><select name="s"><option>One</option></select></form>'
        '<a href="https://elsewhere.example/x">Out</a><a href="mailto:a@b.example">Write</a></main></body></html>'
    )
    assert values(found) == {
        *(
            ("lang", "en"),
            ("title", "The lights"),
            ("meta", "description x"),
            ("landmark", "header"),
            ("landmark", "nav"),
        ),
        *(("link", "/about About"), ("text", "About"), ("landmark", "main"), ("heading", "h1 Lights here")),
        *(("text", "Lights here"), ("text", "Two bold words"), ("image", "/lights/pic.png"), ("form", "POST /send")),
        *(("field", "/send input q"), ("field", "/send select s"), ("text", "One"), ("text", "Out"), ("text", "Write")),
        *(("link", "https://elsewhere.example/x Out"), ("link", "mailto:a@b.example Write"), ("script", "inline")),
    }
    assert found.links == ("/about",) and found.title == "The lights" and found.type == "text/html"


def test_metrics_keep_their_names_and_labels_and_may_have_other_values() -> None:
    kind, told = "text/plain; version=0.0.4; charset=utf-8", '# HELP up Whether.\nup{at="/a b"} {}\nbytes {}e+07 17\n'
    before, now = (page(told.replace("{}", number), kind) for number in ("1", "2.5"))
    assert before == now and ("text", 'up{at="/a b"}') in values(now) and ("text", "bytes") in values(now)
    assert page(told.replace("/a b", "/c"), kind) != before and page(told[:-20], kind) != before
    assert page("up 1", "text/plain") != page("up 2", "text/plain")


def test_an_origin_is_compared_without_its_line() -> None:
    made = Response(500, (), b"", None, Origin("KeyError", "app.py", 7, "'tides'"))
    found = facts(made, URL)
    assert (found.origin, found.where, found.message) == (("KeyError", "app.py"), "app.py:7", "'tides'")


@pytest.mark.parametrize(
    ("body", "kind", "expected"),
    [
        (b"<r><item><link>/x</link><title>X</title></item></r>", "application/rss+xml", ("text", "title X")),
        (b"<urlset><url><loc>http://localhost/x</loc></url></urlset>", "text/xml", ("link", "/x")),
        (b'{"items": [{"url": "/x", "n": 3}]}', "application/json", ("text", ".items[].n 3")),
        (b"a\n\n b \n", "text/plain", ("text", "b")),
    ],
)  # fmt: skip
def test_feeds_data_and_plain_text_are_taken_apart(body: bytes, kind: str, expected: tuple[str, str]) -> None:
    assert expected in values(page(body, kind))


@pytest.mark.parametrize("kind", ["application/xml", "application/json", "image/png", "text/css"])
def test_what_cannot_be_read_is_known_by_its_digest(kind: str) -> None:
    body = b"<!DOCTYPE x [<!ENTITY a 'aa'>]><x>&a;"
    assert [kind for kind, _ in values(page(body, kind))] == ["digest"]


@given(st.binary(max_size=300), st.sampled_from(["text/html", "text/xml", "application/json", "text/plain", ""]))
def test_any_answer_has_facts_and_loses_nothing_to_itself(body: bytes, kind: str) -> None:
    found = page(body, kind)
    assert shared(found, found) == found == together(found, found)
    assert lost(found, found, NOTHING) == ()


def test_a_deeply_nested_page_is_read() -> None:
    assert ("text", "deep") in values(page("<div>" * 5000 + "deep"))
    assert [kind for kind, _ in values(page("[" * 100_000, "application/json"))] == ["digest"]


@given(st.from_regex(r"/?[a-z0-9./?#=&%:;+ -]{0,20}", fullmatch=True))
def test_the_short_way_to_a_links_target_is_the_long_way(href: str) -> None:
    assert absolute(URL, href) == _joined.__wrapped__(URL, href)


def test_a_row_of_links_is_as_many_texts_and_a_sentence_with_links_is_one() -> None:
    row = page("<nav><a href=/>Home</a> | <a href=/about>About <b>us</b></a></nav>")
    assert {part.value for part, _ in row.parts if part.kind == "text"} == {"Home", "About us"}
    longer = page("<nav><a href=/>Home</a> | <a href=/tides>Tides</a> | <a href=/about>About <b>us</b></a></nav>")
    assert lost(row, longer, NOTHING) == ()
    sentence = page("<p>Read <a href=/>the log</a> and <a href=/about>more</a></p>")
    assert ("text", "Read the log and more") in values(sentence)


LIST = "<main><p>{n} lights</p><ul>{items}</ul></main><p>End</p>"


def entries(*names: str) -> str:
    return "".join(f"<li><a href=/{name}>{name}</a> more</li>" for name in names)


def listed(number: int, *names: str) -> PageFacts:
    return page(LIST.format(n=number, items=entries(*names)))


def test_order_does_not_matter_and_more_is_no_loss() -> None:
    assert lost(listed(2, "a", "b"), listed(2, "c", "b", "a"), NOTHING) == ()


def test_a_list_entry_may_move_on_when_it_is_still_found() -> None:
    before, now = listed(2, "a", "b"), listed(2, "c", "b")
    assert {part.value for part in lost(before, now, NOTHING)} == {"a more", "/a a"}
    assert lost(before, now, Moves(frozenset({"/a"}), {"/a": 1}, frozenset())) == ()
    assert lost(before, now, Moves(frozenset(), {"/a": 1}, frozenset())) != ()
    assert lost(before, now, Moves(frozenset({"/a"}), {}, frozenset())) != ()


def test_navigation_is_no_list_entry() -> None:
    before, now = page(f"<nav><ul>{entries('a', 'b')}</ul></nav>"), page(f"<nav><ul>{entries('b')}</ul></nav>")
    assert lost(before, now, Moves(frozenset({"/a"}), {"/a": 5}, frozenset())) != ()


CARD = "<div class=card><a href=/{name}>{name}</a><p>on {name}</p></div>"


def test_cards_and_several_articles_are_list_entries_and_one_article_is_content() -> None:
    moved = Moves(frozenset({"/a"}), {"/a": 3}, frozenset())
    for shape in (CARD, CARD.replace("div class=card", "article").replace("/div", "/article")):
        old, new, less = (page("".join(shape.format(name=name) for name in names)) for names in ("ab", "bc", "b"))
        assert lost(old, new, moved) == ()
        assert {part.entry for part in lost(old, less, moved)} == {"/a"}
    alone = page("<article><p>Long story.</p><a href=/a>a</a></article>")
    assert [part.value for part in lost(alone, page("<article><a href=/a>a</a></article>"), moved)] == ["Long story."]


def test_numbers_may_rise_by_what_was_added_and_by_nothing_else() -> None:
    rising = Moves(frozenset(), {}, frozenset({1}))
    assert lost(listed(10), listed(11), rising) == ()
    assert [part.value for part in lost(listed(10), listed(12), rising)] == ["10 lights"]
    assert [part.value for part in lost(listed(10), listed(9), rising)] == ["10 lights"]
    assert lost(page("<p>3 a</p><p>3 a</p>"), page("<p>4 a</p><p>3 b</p>"), rising) != ()


def test_what_two_runs_do_not_share_is_left_out() -> None:
    kept = shared(page("<p>now 12:01</p><p>x</p><p>x</p>"), page("<p>now 12:02</p><p>x</p>"))
    assert [(one.value, number) for one, number in kept.parts if one.kind == "text"] == [("x", 1)]


TAKEN = [
    ("<meta name=description content=Coast>", "<meta name=description content=''>"),
    ("<meta charset=utf-8>", "<meta charset=latin-1>"),
    ("<html dir=rtl>", "<html>"),
    ("<link rel=canonical href=/lights>", "<link rel=canonical href=/>"),
    ("<link rel=alternate hreflang=zh href=/zh>", "<link rel=alternate hreflang=zh href=/en>"),
    ("<link rel=stylesheet href=/a.css>", ""),
    ("<script src=/a.js></script>", ""),
    ("<script>go()</script>", ""),
    ('<script type=application/ld+json>{"name": "Lights"}</script>', ""),
    ("", "<meta name=robots content='noindex, follow'>"),
    ("", "<meta name=GoogleBot content=none>"),
    ("", "<meta http-equiv=Refresh content='0; url=/'>"),
    ("<p>Open daily</p>", "<p hidden>Open daily</p>"),
    ("<p>Open daily</p>", "<div style='DISPLAY : none'><p>Open daily</p></div>"),
    ("<p>Open daily</p>", "<p style='position:absolute;left:-9999px'>Open daily</p>"),
    ("<p>Open daily</p>", "<p style='opacity:0'>Open daily</p>"),
    ("<p>Open <b>daily</b></p>", "<p>Open <b aria-hidden=true>daily</b></p>"),
    ("<p>Open daily</p>", "<dialog><p>Open daily</p></dialog>"),
    ("<main><p>Open daily</p></main>", "<main><noscript>Open daily</noscript></main>"),
    ("<a href=/a>Go</a>", "<a href=/a inert>Go</a>"),
    ("<input name=q>", "<input name=query>"),
    ("<input name=q>", "<input name=q disabled>"),
    ("<form><input name=q></form>", "<form><fieldset disabled><input name=q></fieldset></form>"),
    ("<input type=radio name=n value=1>", "<input type=radio name=n value=2>"),
    ("<input type=hidden name=list value=a>", "<input type=hidden name=list value=b>"),
    ("<select name=s><option value=a>A</select>", "<select name=s><option value=b>A</select>"),
    ("<form method=post enctype=multipart/form-data></form>", "<form method=post></form>"),
    ("<button formaction=/a>Go</button>", "<button>Go</button>"),
    ("<input type=submit value=Send>", "<input type=submit>"),
    ("<img src=/a.png alt='A lamp'>", "<img src=/a.png>"),
    ("<nav aria-label=Main></nav>", "<nav></nav>"),
    ("<area href=/a>", "<area>"),
    ("<iframe src=/map></iframe>", ""),
    ("<object data=/a.pdf></object>", "<object></object>"),
    ("<a href=about>Go</a>", "<base href=/elsewhere/><a href=about>Go</a>"),
]


@pytest.mark.parametrize(("before", "after"), TAKEN)
def test_what_is_taken_quietly_is_missed_too(before: str, after: str) -> None:
    rest = "<title>Lights</title><h1>Lights</h1>"
    assert lost(page(before + rest), page(after + rest), NOTHING) != ()


KEPT = [
    ("<p hidden>Saved</p>", "<p>Saved</p>"),
    ("<p style='color:red'>A</p>", "<p style='color:blue;opacity:0.9;line-height:0.5;margin:-1px'>A</p>"),
    ("<link rel=stylesheet href='/a.css?v=1'>", "<link rel=stylesheet href='/a.css?v=2'>"),
    ("<script nonce=1 src='/a.js?1'></script>", "<script nonce=2 src='/a.js?2'></script>"),
    ("<meta name=robots content='index, follow'>", "<meta name=robots content=all>"),
    ("<meta http-equiv=refresh content=60>", "<meta http-equiv=refresh content=60>"),
    ("<base href=/lights/><a href=a>A</a>", "<a href=a>A</a>"),
    ("<base href=https://elsewhere.example/><a href=a>A</a>", "<a href=a>A</a>"),
]


@pytest.mark.parametrize(("before", "after"), KEPT)
def test_what_takes_nothing_is_no_loss(before: str, after: str) -> None:
    rest = "<title>Lights</title><h1>Lights</h1>"
    assert lost(page(before + rest), page(after + rest), NOTHING) == ()


HEADERS = [
    (("Content-Type", "text/html; charset=utf-8"), ("Content-Type", "text/html; charset=latin-1")),
    (("X-A", "b"), ("X-Robots-Tag", "googlebot: noindex")),
    (("X-A", "b"), ("Content-Disposition", "attachment; filename=a")),
    (("X-A", "b"), ("Refresh", "0; url=/")),
    (("X-A", "b"), ("Access-Control-Allow-Origin", "*")),
    (("X-Frame-Options", "DENY"), ("X-A", "b")),
    (("Content-Security-Policy", "script-src 'nonce-a'"), ("Content-Security-Policy", "script-src *")),
    (("Set-Cookie", "s=1; HttpOnly; Path=/"), ("Set-Cookie", "s=1; Path=/")),
    (("WWW-Authenticate", 'Digest nonce="a"'), ("X-A", "b")),
]
SAME = [
    (("Content-Security-Policy", "script-src 'nonce-a'"), ("Content-Security-Policy", "script-src 'nonce-b'")),
    (("Set-Cookie", "s=1; Path=/; Expires=x; HttpOnly"), ("Set-Cookie", "s=2; Expires=y; HttpOnly; Path=/")),
    (("WWW-Authenticate", 'Digest nonce="a"'), ("WWW-Authenticate", 'Digest nonce="b"')),
]


@pytest.mark.parametrize(("before", "after"), [*HEADERS, *SAME])
def test_headers_may_not_open_or_close_what_was(before: tuple[str, str], after: tuple[str, str]) -> None:
    first, second = (facts(Response(200, (one,), b"x"), URL) for one in (before, after))
    assert bool(lost(first, second, NOTHING)) == ((before, after) in HEADERS)


def test_a_list_that_moves_keeps_its_length_and_its_names() -> None:
    everywhere = {f"/{name}": 3 for name in "abcd"}
    moves = Moves(frozenset(everywhere), everywhere, frozenset(), listing([listed(2, "a", "b", "c")]))
    before = listed(2, "a", "b")
    assert lost(before, listed(2, "new", "a"), moves) == ()
    assert lost(before, listed(2, "c", "a"), moves) == ()
    assert {part.entry for part in lost(before, listed(2, "a"), moves)} == {"/b"}
    swapped = page(LIST.format(n=2, items=entries("a", "b").replace("href=/b", "href=/c")))
    assert {part.entry for part in lost(before, swapped, moves)} == {"/b"}


JSON_FEED = '{{"items": [{items}]}}'


def test_feeds_that_move_keep_their_length() -> None:
    def made(*names: str) -> PageFacts:
        items = ", ".join(f'{{"url": "/{name}", "title": "{name}", "tags": ["x", "x"]}}' for name in names)
        return page(JSON_FEED.format(items=items), "application/feed+json")

    moves = Moves(frozenset({"/b"}), {"/b": 1}, frozenset(), {})
    assert lost(made("a", "b"), made("new", "a"), moves) == ()
    assert lost(made("a", "b"), made("a"), moves) != ()


def test_half_a_character_in_an_answer_is_kept_as_its_escape() -> None:
    half = b'{"a\\ud800": "\\ud83d", "items": [{"url": "/\\udc00"}]}'
    bodies = {"application/json": half, "text/html": b'<script type="application/ld+json">' + half + b"</script>"}
    for kind, body in bodies.items():
        found = facts(Response(200, (("Content-Type", kind),), body, None, None), "http://localhost/")
        assert str(found).encode() and "\\ud83d" in str([part.value for part, _ in found.parts])


def test_xml_in_an_encoding_that_nobody_knows_is_compared_by_its_bytes() -> None:
    body = b'<?xml version="1.0" encoding="klingon"?><a/>'
    found = facts(Response(200, (("Content-Type", "text/xml"),), body, None, None), "http://localhost/")
    assert "digest" in {part.kind for part, _ in found.parts}
