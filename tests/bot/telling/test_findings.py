"""The gate's verdict as text, JSON, SARIF and workflow commands."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from bot.lines import hides
from bot.model import Evidence, GateObjections, GatePassed, Objection
from bot.store.revisions import Revision
from bot.telling.findings import FORMATS, Findings, as_github, as_json, as_sarif, as_text

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
        {"physicalLocation": {"artifactLocation": {"uri": "src/a%20b.py"}, "region": {"startLine": 12}}}
    ]
    assert page["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "/articles"
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["lint", "page-lost"]
    assert {one["ruleId"] for one in run["results"]} == {"lint", "page-lost"}
    assert lint["partialFingerprints"] != page["partialFingerprints"]


REQUIRED: dict[str, dict[str, object]] = {  # of SARIF 2.1.0, for what we write, with the types of the values
    "log": {"version": "2.1.0", "runs": list},
    "run": {"tool": dict, "results": list},
    "driver": {"name": str, "version": str, "rules": list},
    "rule": {"id": str, "shortDescription": dict},
    "result": {"ruleId": str, "level": "error", "message": dict, "locations": list, "partialFingerprints": dict},
    "message": {"text": str},
}


def complete(kind: str, told: dict[str, object]) -> bool:
    """Whether each required field is there, with a value of its type, or that value."""
    wanted = REQUIRED[kind].items()
    return all(
        isinstance(told[name], type_) if isinstance(type_, type) else told[name] == type_ for name, type_ in wanted
    )


@given(st.text(), st.text(min_size=1), st.integers(0, 99))
def test_sarif_has_every_required_field(text: str, name: str, line: int) -> None:
    where = f"src/{name}.py:{line}" if line % 2 else name
    told = json.loads(as_sarif(found(Objection("lint", "gate", where, text, text, text, text), PAGE)))
    (run,) = told["runs"]
    driver = run["tool"]["driver"]
    assert complete("log", told) and complete("run", run) and complete("driver", driver)
    assert all(complete("rule", one) and one["shortDescription"]["text"] for one in driver["rules"])
    for one in run["results"]:
        assert complete("result", one) and complete("message", one["message"])
        assert one["ruleId"] in {rule["id"] for rule in driver["rules"]}
        assert all(isinstance(mark, str) for mark in one["partialFingerprints"].values())
        for place in one["locations"]:
            physical = place.get("physicalLocation", {})
            assert physical.get("region", {"startLine": 1})["startLine"] >= 1
            assert re.fullmatch(r"[\w.~%/-]*", physical.get("artifactLocation", {"uri": ""})["uri"], re.ASCII)


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
