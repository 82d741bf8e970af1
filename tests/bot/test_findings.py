"""The gate's verdict as text, JSON, SARIF and workflow commands."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from bot.findings import FORMATS, Findings, as_github, as_json, as_sarif, as_text
from bot.lines import hides
from bot.model import Evidence, GateObjections, GatePassed, Objection
from bot.revisions import Revision

BASE, CANDIDATE = Revision("a" * 40, "b" * 40), Revision("c" * 40, "d" * 40)
LINT = Objection(
    "lint", "gate", "src/a b.py:12:3", "F401 import os", "a new violation", "`os`: unused, 100%", "mend it"
)
PAGE = Objection("page-lost", "gate", "/articles", "/articles", "it lost what it had", "link 'a'")
EVIDENCE = Evidence("lint", {"files": 3, "new": 1}, "ruff 1.0", ("a note",), 1.25, True)


def found(*against: Objection) -> Findings:
    tree = CANDIDATE.tree
    verdict = GateObjections(tree, against, (EVIDENCE,)) if against else GatePassed(tree, (EVIDENCE,))
    return Findings(BASE, CANDIDATE, verdict)


def test_text_tells_objections_and_evidence() -> None:
    told = as_text(found(LINT, PAGE))
    assert told.startswith("aaaaaaaaaaaa..cccccccccccc: 2 objections\n  [lint] src/a b.py:12:3: a new violation\n")
    assert "    lint: files 3, new 1 (ruff 1.0); 1.2 s, cached\n      a note" in told
    assert as_text(found()).startswith("aaaaaaaaaaaa..cccccccccccc: passed\n")


def test_json_holds_everything() -> None:
    told = json.loads(as_json(found(LINT)))
    assert told["passed"] is False and told["objections"][0]["where"] == LINT.where
    assert told["evidence"][0]["counts"] == EVIDENCE.counts
    assert json.loads(as_json(found()))["passed"] is True


def test_sarif_places_files_by_line_and_pages_by_name() -> None:
    (run,) = json.loads(as_sarif(found(LINT, PAGE)))["runs"]
    lint, page = run["results"]
    assert lint["locations"] == [
        {"physicalLocation": {"artifactLocation": {"uri": "src/a b.py"}, "region": {"startLine": 12}}}
    ]
    assert page["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "/articles"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["lint", "page-lost"]
    assert {one["ruleId"] for one in run["results"]} == {"lint", "page-lost"}
    assert lint["partialFingerprints"] != page["partialFingerprints"]


def test_workflow_commands_name_the_line_and_escape_what_would_end_them() -> None:
    lint, page, notice = as_github(found(LINT, PAGE)).splitlines()
    assert lint == ("::error file=src/a b.py,line=12,title=lint::a new violation%0A`os`: unused, 100%25%0Amend it")
    assert page == "::error title=page-lost::/articles: it lost what it had%0Alink 'a'"
    assert notice.startswith("::notice title=plusone gate::lint: files 3")


@given(st.text(), st.text(), st.sampled_from(sorted(FORMATS)))
def test_no_text_of_the_site_breaks_a_form(what: str, where: str, form: str) -> None:
    told = FORMATS[form](found(Objection("lint", "gate", where, what, what, what, what)))
    assert not any(hides(one) for one in told.replace("\n", ""))
    if form == "github":
        assert len(told.splitlines()) == 2 and told.startswith("::error ")
    if form in ("json", "sarif"):
        assert json.loads(told)
