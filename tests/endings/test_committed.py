"""One commit of the judged tree, at once or after a repair."""

from __future__ import annotations

import pytest

from tests.endings.conftest import Stager
from tests.support.repository import git

JUDGED = ["scope", "guards", "gate", "validate", "decide"]
GATED = ["scope", "guards", "gate", "decide"]


@pytest.mark.parametrize(
    ("name", "path", "then"),
    [
        ("committed", ["precheck", "build", *JUDGED, "commit"], "committed-feature"),
        ("committed-feature", ["precheck", "build", *JUDGED, "commit"], "committed"),
        ("gate-repaired", ["precheck", "build", *GATED, "fix", *JUDGED, "commit"], "committed-feature"),
        ("review-repaired", ["precheck", "build", *JUDGED, "fix", *JUDGED, "commit"], "committed-feature"),
    ],
)
def test_what_was_judged_is_committed_once(name: str, path: list[str], then: str, staged: Stager) -> None:
    here = staged()
    report = here.goes_on(name)
    assert (report["path"], report["repairs"], report["stopped_by"]) == (path, path.count("fix"), "")
    with here.journal() as journal:
        calls = journal.calls(str(report["cycle"]))
    assert {one.state for one in calls} == {"done"} and len(calls) == report["model_calls"]
    assert git(here.made.remote, "rev-list", "--count", "main") == "2"
    here.goes_on(then)
