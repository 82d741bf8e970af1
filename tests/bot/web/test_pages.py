"""What the pages say, in HTML and in JSON, and that nothing that others wrote does anything there."""

from __future__ import annotations

import json
import re
import shutil
from datetime import timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser, LexborNode

from bot.model import Built, Claim, Evidence, GateObjections, GatePassed, Objection, Reverted, Waiting
from bot.operation import examined
from bot.operation.holds import PAUSED
from bot.pictures import Album, Shown, keep
from bot.web import Watched, write_pages
from ledger.contents import Rejected
from ledger.store import LedgerStore
from tests.support import drawn
from tests.support.commands import Fired, fired
from tests.support.onlooker import Visit, by_hand, of_cycle

EVIL = '</code></pre><script>alert(1)</script><img src=x onerror=alert(2)>" onmouseover="x\u202e\x1b[31m{{7*7}}'
ALLOWED = {"href", "src", "action"}


@pytest.fixture
def real(tmp_path_factory: pytest.TempPathFactory) -> Fired:
    return fired("gate-repaired", tmp_path_factory)


def nodes(html: str, selector: str) -> list[LexborNode]:
    return list(LexborHTMLParser(html).css(selector))


def inert(html: str) -> None:
    """No script, no handler, no style, no foreign address, nothing that hides; what others wrote is text."""
    foreign = (
        "script, style, iframe, object, embed, base, img:not([src^='/cycles/c1/'], [src^='../cycles/c1/']), "
        "link:not([rel=stylesheet], [rel=icon]), meta[http-equiv]"
    )
    assert nodes(html, foreign) == []
    for node in nodes(html, "*"):
        for name, value in node.attributes.items():
            assert not name.startswith("on") and name != "style", node.html
            if name in ALLOWED:
                assert value and not re.match(r"\s*([a-z]+:|//)", value, re.IGNORECASE), value
    assert "\u202e" not in html and "\x1b" not in html


def hostile(folder: Path, text: str) -> tuple[Watched, str]:
    """A site in which every field that others fill holds the text."""
    site, pages = by_hand(folder)
    claim = Claim(text, text, text, (text,), (text,), (text,))
    objection = Objection(text, "gate", text, text, text, text, text)
    evidence = Evidence(text, {text: 1}, text, (text,))
    steps = [
        ("build", Built(claim, text)),
        ("gate", GateObjections("a" * 40, (objection,), (evidence,))),
        ("gate", GatePassed("a" * 40, (evidence,))),
    ]
    pages.run("c1", Reverted("gate", text, (objection,), "a" * 40, claim), steps)
    pages.run("c2", Waiting("c" * 40, "d" * 40, text))
    pages.journal.set_note(PAUSED, text)
    said = {"word": "approve", "who": text, "when": "2026-11-30T18:00:00+00:00", "why": text}
    pages.journal.set_note("consent/c2", json.dumps(said))
    pages.journal.set_note("reverted/c1", json.dumps({"commit": text, "who": text, "when": text}))
    pages.journal.set_note("unshown-files", text)
    album = Album((Shown(text, False, "1-before.png", "1-after.png", text),), text)
    keep(
        site.folders.make_cycle("c1") / "pictures",
        album,
        {f"1-{one}.png": drawn.picture() for one in ("before", "after")},
    )
    found = {
        "ok": 0,
        "warning": 1,
        "failure": 0,
        "checks": [{"name": text, "level": "warning", "seen": text, "mend": text}],
    }
    examined.keep(site.folders.examined, found, text)
    ledger = LedgerStore(site.folders.ledger, (text,))
    ledger.rebuild([("e" * 40, text, f"x\n\nPlusone-Cycle: {text.split()[0] if text.split() else 'c'}\n")], "e" * 40)
    ledger.remember([Rejected((text,), text, "c1", "2026-11-30T18:00:00+00:00")])
    record = site.folders.make_cycle("c1") / "recording.jsonl"
    record.write_text(json.dumps({"plusone": 1}) + "\n" + json.dumps(exchange(text)) + "\n")
    return site, text


def exchange(text: str) -> dict[str, object]:
    event = {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": text}}
    body = f"data: {json.dumps(event)}\n\ndata: {json.dumps({'type': 'message_stop'})}\n\n"
    request: dict[str, object] = {"system": text, "messages": [{"role": text, "content": [{"type": text, text: text}]}]}
    return {
        "node": text, "visit": 1, "seq": 1, "at": text, "request": request, "status": 200, "headers": {}, "body": body,
        "error": text,
    }  # fmt: skip


def test_hostile_text_in_every_field_is_inert_on_every_page(tmp_path: Path) -> None:
    site, _ = hostile(tmp_path, EVIL)
    visit = Visit.to(site).signed_in()
    for path in ("/", "/ledger", "/doctor", "/cycles/c1", "/cycles/c2"):
        html = visit.get(path).text
        inert(html)
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html and "{{7*7}}" in html, path
    for file in write_pages(site, tmp_path / "pages"):
        if file.suffix == ".html":
            inert(file.read_text())


def test_json_of_hostile_text_stays_json(tmp_path: Path) -> None:
    site, _ = hostile(tmp_path, EVIL)
    visit = Visit.to(site)
    for path in ("/overview.json", "/cycles/c1.json", "/ledger.json", "/doctor.json"):
        answer = visit.get(path)
        assert answer.mimetype == "application/json" and answer.json is not None
        assert answer.json["schema_version"] == 1
    assert visit.get("/cycles/c1.json").json["claim"]["key"] == EVIL  # type: ignore[index]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40))
def test_whatever_others_write_the_page_stays_whole(tmp_path: Path, text: str) -> None:
    shutil.rmtree(tmp_path, ignore_errors=True)
    tmp_path.mkdir()
    site, _ = hostile(tmp_path, text)
    visit = Visit.to(site)
    for path in ("/", "/ledger", "/doctor", "/cycles/c1"):
        answer = visit.get(path)
        assert answer.status_code == 200
        assert len(nodes(answer.text, "main")) == len(nodes(answer.text, "footer")) == 1


def test_the_overview_tells_how_the_site_fares(tmp_path: Path) -> None:
    site, pages = by_hand(tmp_path)
    pages.run("c0")
    pages.call("c0", "build", 0.5)
    for number in range(1, 4):
        pages.run(f"c{number}", Reverted("guards", f"not new {number}"))
    pages.run("c4", Waiting("c" * 40, "d" * 40, "article x waits"))
    found = Visit.to(site).get("/overview.json").json
    assert found is not None
    assert [run["cycle"] for run in found["recent"]] == ["c4", "c3", "c2", "c1", "c0"]
    assert (found["streak"], found["counts"]) == (
        {"outcome": "waiting", "length": 1}, {"waiting": 1, "reverted": 3, "open": 1},
    )  # fmt: skip
    assert [(day["usd"], day["model_calls"]) for day in found["days"]] == [(0.5, 1)]
    assert [run["cycle"] for run in found["waiting"]] == ["c4"]
    assert found["next"]["at"] > found["now"] and found["next"]["jitter"] == "15min"


def test_days_on_which_nobody_was_asked_are_left_out_but_today_is_not(tmp_path: Path) -> None:
    site, pages = by_hand(tmp_path)
    pages.run("c0")
    pages.call("c0", "build", None)
    pages.clock.forward(days=timedelta(days=3).days)
    found = Visit.to(site).get("/overview.json").json
    assert found is not None
    assert [day["usd"] for day in found["days"]] == [0.0, None]
    assert "unknown" in Visit.to(site).get("/").text


def test_the_doctors_page_shows_the_last_examination_and_makes_none(tmp_path: Path) -> None:
    site, _ = by_hand(tmp_path)
    visit = Visit.to(site)
    assert "Nobody has asked yet" in visit.get("/doctor").text
    assert visit.get("/doctor.json").json == {
        "schema_version": 1, "site": "harbour", "when": None, "ok": 0, "warning": 0, "failure": 0, "checks": [],
    }  # fmt: skip
    checks = [{"name": "key", "level": "failure", "seen": "no key", "mend": "write one"}]
    examined.keep(site.folders.examined, {"ok": 1, "warning": 0, "failure": 1, "checks": checks}, "2026-11-30T04:00:00")
    html = visit.get("/doctor").text
    assert "1 failures" in html and "Mend: <code>write one</code>" in html and "2026-11-30 04:00" in html
    site.folders.examined.write_text("{")
    assert "Nobody has asked yet" in visit.get("/doctor").text


def test_without_pictures_the_page_says_why(tmp_path: Path) -> None:
    site, pages = by_hand(tmp_path)
    pages.run("c1", Waiting("c" * 40, "d" * 40, "article x waits"))
    visit = Visit.to(site)
    assert "No pictures were taken." in visit.get("/cycles/c1").text
    keep(site.folders.make_cycle("c1") / "pictures", Album(why="no Chromium is installed on this machine"), {})
    assert "No pictures: no Chromium is installed on this machine." in visit.get("/cycles/c1").text
    assert visit.get("/cycles/c1/1-after.png").status_code == 404


def test_files_of_cycles_that_are_not_among_the_newest_go_and_nothing_links_to_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site, pages = by_hand(tmp_path)
    pages.run("c1", Reverted("guards", "not new"))
    LedgerStore(site.folders.ledger).remember([Rejected(("x",), "not new", "c1", "2026-11-30T18:00:00+00:00")])
    write_pages(site, tmp_path / "pages")
    assert 'href="cycles/c1.html"' in (tmp_path / "pages/ledger.html").read_text()
    monkeypatch.setattr("bot.web.files.RECENT", 1)
    pages.run("c2", Reverted("guards", "not new"))
    write_pages(site, tmp_path / "pages")
    assert [one.name for one in (tmp_path / "pages/cycles").iterdir()] == ["c2.html"]
    assert "cycles/c1" not in (tmp_path / "pages/ledger.html").read_text()


def test_a_new_site_has_pages_too(tmp_path: Path) -> None:
    site, _ = by_hand(tmp_path)
    visit = Visit.to(site)
    assert "No cycle yet." in visit.get("/").text and "Nothing yet." in visit.get("/ledger").text


def test_one_cycle_tells_its_way_its_verdicts_its_change_and_what_was_said(real: Fired) -> None:
    html = Visit.to(of_cycle(real)).get(f"/cycles/{real.report['cycle']}").text
    inert(html)
    path = real.report["path"]
    assert isinstance(path, list) and " → ".join(path) in html
    assert [node.text() for node in nodes(html, "table tbody th")] == path
    assert "path: " + " → ".join(path) in html.replace("&gt;", ">")  # the picture's own description
    (objections,) = [node.text() for node in nodes(html, ".objections")]
    assert "F401" in objections and "Accepted would be" in objections
    added = [node.text() for node in nodes(html, ".diff .added")]
    assert added and all(line.startswith("+") for line in added)
    talks = [node.text() for node in nodes(html, "details summary")]
    assert len(talks) == real.report["model_calls"] and talks[0] == "build, visit 1, call 1: 200"
    assert {"routes", "lint", "catalogue", "guards"} <= {node.text() for node in nodes(html, "ul.plain li strong")}


def test_the_cycle_as_json_holds_what_run_said_and_the_change(real: Fired) -> None:
    found = Visit.to(of_cycle(real)).get(f"/cycles/{real.report['cycle']}.json").json
    assert found is not None and real.report.items() <= found.items()
    assert found["diff"].startswith("diff --git") and len(found["steps"]) == len(found["path"])


@pytest.mark.parametrize("path", ["/", "/ledger", "cycle"])
def test_pages_are_sound_for_keyboard_and_screen_reader(real: Fired, path: str) -> None:
    where = f"/cycles/{real.report['cycle']}" if path == "cycle" else path
    html = Visit.to(of_cycle(real)).signed_in().get(where).text
    assert nodes(html, "html")[0].attributes["lang"] == "en" and len(nodes(html, "h1")) == 1
    assert nodes(html, "a.skip")[0].attributes["href"] == "#main" and nodes(html, "#main")
    ids = [node.attributes["id"] for node in nodes(html, "[id]")]
    assert len(ids) == len(set(ids))
    for node in nodes(html, "[aria-labelledby]"):
        assert node.attributes["aria-labelledby"] in ids
    for node in nodes(html, ".scroll"):
        assert node.attributes["tabindex"] == "0" and node.attributes["role"] == "group"
    for node in nodes(html, "table"):
        assert node.css("caption") and all("scope" in cell.attributes for cell in node.css("th"))
    labels = {node.attributes["for"] for node in nodes(html, "label")}
    assert {node.attributes.get("id") for node in nodes(html, "input:not([type=hidden])")} == labels
    levels = [int(str(node.tag)[1]) for node in LexborHTMLParser(html).css("h1, h2, h3")]
    assert levels[0] == 1 and all(after - before <= 1 for before, after in pairwise(levels))


def test_files_name_one_another_and_hold_no_form(real: Fired, tmp_path: Path) -> None:
    site = of_cycle(real)
    files = write_pages(site, tmp_path / "pages")
    assert {str(file.relative_to(tmp_path / "pages")) for file in files} == {
        "style.css", "icon.svg", "index.html", "ledger.html", "doctor.html", f"cycles/{real.report['cycle']}.html",
    }  # fmt: skip
    for file in files[2:]:
        html = file.read_text()
        assert nodes(html, "form") == []
        for node in nodes(html, "a, link"):
            target = str(node.attributes["href"])
            assert target.startswith("#") or (file.parent / target).exists(), (file.name, target)
    assert write_pages(site, tmp_path / "pages") == files
    assert not list((tmp_path / "pages").rglob(".page-*"))
