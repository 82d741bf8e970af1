"""What an objection names."""

from __future__ import annotations

import pytest

from bot.model import Evidence
from tests.support.values import objection


@pytest.mark.parametrize(
    ("where", "path", "file"),
    [
        ("src/a.py:3", "src/a.py", "src/a.py"),
        ("src/a.py:3:14", "src/a.py", "src/a.py"),
        ("src/a.py", "src/a.py", "src/a.py"),
        ("src/odd:name.py:3", "src/odd:name.py", "src/odd:name.py"),
        ("/articles/a", "/articles/a", None),
        ("https://example.org/x", "https://example.org/x", None),
        ("", "", None),
    ],
)
def test_where_is_a_file_of_the_tree_or_a_url(where: str, path: str, file: str | None) -> None:
    one = objection(where=where)
    assert (one.path, one.file) == (path, file)


def test_an_evidence_line_holds_counts_and_versions_but_no_seconds_or_cache_hits() -> None:
    slow = Evidence("routes", {"verified": 41, "login": 0}, "flask 3.1.3", seconds=9.5, cached=False)
    fast = Evidence("routes", {"verified": 41, "login": 0}, "flask 3.1.3", seconds=0.1, cached=True)
    assert slow.line == fast.line == "routes: verified 41, login 0 (flask 3.1.3)"
