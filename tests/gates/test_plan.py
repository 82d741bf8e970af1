"""What is asked, where, and how the answers add up."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bot.model import Entry, Holdings, Origin, Registry, Response, Rule, Site, Source
from gates import rules, statics
from gates.coverage import blind, coverage
from gates.crawl import crawled, guessed, lent
from gates.frames import Static
from gates.page import facts
from gates.plan import Ground, plain, questions, unknown
from gates.question import Question, Target
from gates.sweep import Sweep, asked, dump, load, merged

SITE = Site(
    "app", "python", sources=(Source("articles", "python", "slug", page="/articles/{slug}"),), locales=("en", "zh")
)
ENTRIES = (Registry("articles", (Entry("a/b c", "{}"), Entry("d", "{}"))),)


def rule(text: str, *methods: str, **more: object) -> Rule:
    plain = Rule(text, text.strip("/") or "home", methods or ("GET",), tuple(rules._BLANK.findall(text) and ("x",)))
    return replace(plain, **more)  # type: ignore[arg-type]


RULES = (rule("/"), rule("/send", "POST"), rule("/articles/<slug>"), rule("/static/<path:filename>", static=True))
GROUND = Ground(SITE, Holdings(ENTRIES, RULES))


def urls(ground: Ground) -> list[str]:
    return [f"{one.locale}:{one.method} {one.host}{one.url}" for one in questions(ground) if one.why != "method"]


def test_rules_and_entries_are_asked_in_every_locale() -> None:
    expected = [f"{code}:GET {url}" for url in ("/", "/articles/a%2Fb%20c", "/articles/d") for code in ("en", "zh")]
    assert urls(GROUND) == expected


@pytest.mark.parametrize(
    ("by", "expected"),
    [("query:lang", [":GET /?lang=en", ":GET /?lang=zh"]), ("prefix", [":GET /", ":GET /en/articles/d"])],
)
def test_locales_may_be_told_by_query_or_prefix(by: str, expected: list[str]) -> None:
    assert set(expected) <= set(urls(replace(GROUND, site=replace(SITE, locale_by=by))))


def test_examples_are_asked_and_hosts_come_from_the_rules() -> None:
    held = Holdings((Registry("articles", ()),), (rule("/", host="docs"), rule("/x", host="<name>")))
    ground = Ground(replace(SITE, locales=()), held, server="site.example", examples=("/s?q=1",))
    assert urls(ground) == [":GET docs.site.example/", ":GET site.example/s?q=1"]
    assert urls(replace(ground, matching=True, examples=())) == [":GET docs/"]


@pytest.mark.parametrize(
    ("url", "harm"),
    [("/item/<int:n>/delete", True), ("/logout", True), ("/app/<id>/star", True), ("/stars", False),
     ("/starboard", False), ("/users/sign-out", True), ("/<delete>", False), ("/items_remove", True),
     ("/search?q=delete", False), ("/deleteItem/<int:n>", True), ("/api/itemRemove", True), ("/rm/<k>", True),
     ("/edit?action=delete&id=1", True), ("/list?remove=3", True), ("/list?do=show", False), ("/swipes", False),
     ("/spurge", False), ("/Toggle/<k>", True)],
)  # fmt: skip
def test_a_rule_looks_harmful_by_its_words(url: str, harm: bool) -> None:
    assert rules.harmful(url) is harm


def test_harmful_rules_are_skipped_unless_allowed() -> None:
    held = Holdings((Registry("articles", ()),), (rule("/logout"),))
    assert Ground(SITE, held).skipped == ("/logout",) and questions(Ground(SITE, held)) == ()
    assert len(questions(Ground(SITE, held, allow=("/logout",)))) == 3


@pytest.mark.parametrize(
    ("endpoint", "harm"),
    [("delete_item", True), ("shop.removeItem", True), ("logout", True), ("items.show", False), ("delete.show", False),
     ("undelete", False), ("show_removed", False)],
)  # fmt: skip
def test_a_rule_looks_harmful_by_its_views_name(endpoint: str, harm: bool) -> None:
    assert rules.harms(replace(rule("/items/<k>/x"), endpoint=endpoint)) is harm


def test_rules_fill_in_what_they_tell_themselves() -> None:
    assert rules.urls(rule("/<lang_code>/x"), ("en", "zh")) == ("/en/x", "/zh/x")
    assert rules.urls(rule('/<any(red, "blue"):colour>'), ()) == ("/red", "/blue")
    assert rules.urls(rule("/<int:n>"), ("en",)) == ()
    assert rules.urls(rule("/<kind:k>/<k>"), (), {"kind": ("a", "b")}) == ()
    assert rules.urls(rule("/<kind:k>"), (), {"kind": ("a", "b")}) == ("/a", "/b")
    assert rules.reaches(rule("/a/<path:p>"), "/a/b/c?x=1") and not rules.reaches(rule("/a/<p>"), "/a/b/c")


def test_made_up_paths_differ_in_each_run_and_keep_their_names() -> None:
    first, second = unknown(GROUND, Random(1)), unknown(GROUND, Random(2))
    assert [one.key for one in first] == [one.key for one in second] and len(first) == 3
    assert not {one.url for one in first} & {one.url for one in second}
    answer = Response(404, (), f"no {first[0].url} here".encode())
    assert first[0].blanked(answer).body == b"no /unknown here"


def test_linked_pages_are_asked_when_a_rule_could_answer_them() -> None:
    urls = ["/articles/new", "/articles/d", "/elsewhere", "/articles/delete", "/?page=2"]
    found = crawled(GROUND, questions(GROUND), {Target("", url) for url in urls})
    assert {one.url for one in found} == {"/articles/new", "/?page=2"}
    assert {(one.locale, one.why) for one in found} == {("en", "crawl"), ("zh", "crawl")}


def test_one_rule_cannot_take_all_the_crawl() -> None:
    held = Holdings((Registry("articles", ()),), (rule("/days/<day>"), rule("/notes/<n>")))
    links = {Target("", f"/days/{n}") for n in range(500)} | {Target("", "/notes/1")}
    found = crawled(Ground(replace(SITE, locales=()), held), (), links)
    assert len(found) == 61 and found[-1].url == "/notes/1"


def test_what_a_user_finds_is_asked_as_that_user() -> None:
    signed_in = {one.user for one in questions(replace(GROUND, user=True))}
    assert signed_in == {False, True}
    found = crawled(GROUND, questions(GROUND), {Target("", "/articles/mine", user=True)})
    assert all(one.user for one in found) and len({one.key for one in found}) == 2


def test_paths_in_the_sources_are_guesses_for_rules_with_blanks() -> None:
    text = b"href=\"/articles/one\" '/articles/two' (/articles/three) \"/elsewhere\" '/articles/delete' '/articles/<s>'"
    assert guessed(GROUND, [text]) == ("/articles/one", "/articles/three", "/articles/two")
    many = b"".join(b'"/articles/%d"' % n for n in range(50))
    assert len(guessed(GROUND, [many])) == 5
    assert {one.why for one in plain(GROUND, ["/articles/one"], "literal")} == {"literal"}


def test_tracked_files_below_a_static_folder_are_asked_by_their_rule() -> None:
    folder = Static("/static/<path:filename>", "src/static")
    found = statics.questions(GROUND, [folder], ["src/static/a b.css", "src/static/x/y.js", "src/app.py"])
    assert [one.url for one in found] == ["/static/a%20b.css", "/static/x/y.js"]


def test_a_locale_in_a_linked_query_is_not_told_twice() -> None:
    ground = replace(GROUND, site=replace(SITE, locale_by="query:lang"))
    assert [one.url for one in ground.localised(Question("GET", "/?lang=en"))] == ["/?lang=en"]


def answered(url: str, status: int, location: str = "", endpoint: str | None = None) -> tuple[Question, Response]:
    headers = (("Location", location),) if location else ()
    return Question("GET", url), Response(status, headers, b"x", endpoint)


def swept(*pairs: tuple[Question, Response]) -> Sweep:
    answers = {one.url: response for one, response in pairs}
    asks = tuple(one for one, _ in pairs)
    return Sweep("flask", asks, asked(lambda order: [answers[one.url] for one in order], asks, Random(1)), ("/logout",))


def test_the_numbers_add_up_to_the_rules() -> None:
    held = (rule("/a"), rule("/b"), rule("/c"), rule("/d/<x>"))
    sweep = swept(answered("/a", 200), answered("/b", 302, "/login?next=/b"), answered("/c", 500))
    seen = coverage(held, sweep)
    assert seen.counts == {"verified": 1, "login": 1, "failing": 1, "never": 1, "skipped": 1, "total": 5}
    assert blind(seen, 0.3) == "" and '"/d/SOME-x"' in blind(seen, 0.9)


def test_a_sweep_that_verifies_nothing_is_blind_and_says_why() -> None:
    assert "2 fail with status 500" in blind(
        coverage((rule("/a"), rule("/b")), swept(answered("/a", 500), answered("/b", 500))), 0
    )
    assert blind(coverage((), swept()), 0.3) != ""


@pytest.mark.parametrize(
    ("status", "location", "kind"),
    [
        (302, "/enter?next=%2Fa", "login"), (303, "/?return_to=http%3A%2F%2Flocalhost%2Fa", "login"),
        (302, "https://sso.example/x?back=https%3A%2F%2Fsite.example%2Fa", "login"), (302, "/logon", "login"),
        (401, "", "login"), (302, "/b?from=%2Fc", "verified"), (302, "/b", "verified"), (301, "/a/", "verified"),
        (301, "https://localhost/a", "failing"), (308, "http://www.site.example/a", "failing"),
    ],
)  # fmt: skip
def test_a_visitor_who_is_sent_away_has_not_seen_the_page(status: int, location: str, kind: str) -> None:
    counts = coverage((rule("/a"),), swept(answered("/a", status, location))).counts
    assert counts[kind] == 1 and counts["total"] == 1 + counts["skipped"]


def test_a_blind_sweep_tells_the_words_of_what_failed() -> None:
    origin = Origin("OperationalError", "app.py", 3, "no such table: articles")
    asked_, response = answered("/a", 500)
    broken = (asked_, replace(response, origin=origin))
    away = answered("/b", 301, "https://www.site.example/b")
    told = blind(coverage((rule("/a"), rule("/b")), swept(broken, away)), 0)
    wanted = ("OperationalError: no such table: articles", "/b to https://www.site.example/b", "SERVER_NAME")
    assert all(one in told for one in wanted)


def test_a_sweep_that_meets_a_login_everywhere_says_how_to_sign_in() -> None:
    told = blind(coverage((rule("/a"), rule("/b")), swept(answered("/a", 401), answered("/b", 302, "/login"))), 0)
    assert "all want a login" in told and "[gate.routes]" in told and "login = {" in told


def test_what_is_asked_besides_is_asked_at_the_host_of_its_rule() -> None:
    held = replace(GROUND.holdings, rules=(rule("/articles/<slug>", host="a.example"), rule("/", host="a.example")))
    ground = replace(GROUND, holdings=held, matching=True, examples=("/?q=lamp",))
    asked_ = [one for one in questions(ground) if one.why in ("entry", "example")]
    assert asked_ and {one.host for one in asked_} == {"a.example"}
    named = [one for one in unknown(ground, Random(1)) if one.url.startswith("/articles/")]
    assert [one.host for one in named] == ["a.example"]


def test_a_sweep_survives_its_cache_and_nothing_else_does() -> None:
    sweep = swept(answered("/a", 200, endpoint="a"), answered("/b", 302, "/a"))
    assert load(dump(sweep)) == sweep
    for damaged in (b"", b"{}", dump(sweep).replace(b'"version":4', b'"version":0'), dump(sweep)[:-9], b"[]"):
        assert load(damaged) is None


def test_pages_on_which_two_runs_disagree_are_left_out() -> None:
    first, second = swept(answered("/a", 200), answered("/b", 200)), swept(answered("/a", 200), answered("/b", 404))
    pages, volatile = merged(first.pages, second.pages)
    assert list(pages) == ["- GET /a"] and volatile == ("- GET /b",)
    assert facts(Response(200, (), b""), "http://localhost/", opaque=True).parts == ()


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("red|blue", ("red", "blue")),
        ("(?:red|blue)", ("red", "blue")),
        ("(red)", ("red",)),
        ("[a-z]+", ()),
        ("red|[0-9]", ()),
        ("(?:a|b)(?:c|d)", ()),
        ("|".join(map(str, range(99))), ()),
        ("", ()),
    ],
)
def test_a_converters_pattern_may_spell_out_its_values(pattern: str, expected: tuple[str, ...]) -> None:
    assert rules.chosen(pattern) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("/<slug>/print", ("/one/print", "/two/print")),
        ("/<int:n>", ("/1",)),
        ("/<int(min=5, fixed_digits=3):n>", ("/005",)),
        ("/<float:n>/<slug>", ("/1.0/one", "/1.0/two")),
        ("/<path:slug>", ()),
        ("/<uuid:u>", ()),
        ("/<other>/<slug>", ()),
        ("/delete/<slug>", ()),
    ],
)
def test_values_are_lent_to_rules_that_nothing_reaches(text: str, expected: tuple[str, ...]) -> None:
    held = Holdings((), (rule("/articles/<slug>"), rule(text)))
    ground = Ground(replace(SITE, sources=(), locales=()), held)
    asked = [Question("GET", f"/articles/{slug}") for slug in ("one", "two")]
    assert lent(ground, asked) == expected
    assert lent(ground, [*asked, *(Question("GET", url) for url in expected)]) == ()


def test_a_rule_in_any_script_is_reached_by_the_spelling_of_browsers() -> None:
    assert rules.reaches(rule("/灯塔/<slug>"), "/%E7%81%AF%E5%A1%94/mole?a=1")
    assert not rules.reaches(rule("/灯塔/<slug>"), "/%E7%81%AF/mole")
