"""The site's tests: what is run, what the report says, and which failures are new."""

from __future__ import annotations

import pytest

from gates.tests import Case, Outcome, command, objections, read, reports

REPORT = b"""<?xml version="1.0"?><testsuites><testsuite>
<testcase classname="tests.test_a.TestX" name="test_one[1]" file="tests/test_a.py" line="3"/>
<testcase classname="tests.test_a" name="test_two" file="tests/test_a.py"><failure message="assert 1
 == 2">long</failure></testcase>
<testcase classname="" name="tests.test_b" file=""><error>boom</error></testcase>
<testcase classname="tests.test_a" name="test_three"><skipped/></testcase>
</testsuite></testsuites>"""


def test_a_report_is_read_test_by_test() -> None:
    assert read(REPORT) == (
        Case("tests.test_a.TestX::test_one[1]", "passed", "tests/test_a.py"),
        Case("tests.test_a::test_two", "failed", "tests/test_a.py", "assert 1 == 2"),
        Case("tests.test_b", "failed", "", "boom"),
        Case("tests.test_a::test_three", "skipped"),
    )


@pytest.mark.parametrize("report", [b"", b"<x", b'<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>'])
def test_what_is_no_report_is_an_error(report: bytes) -> None:
    with pytest.raises(ValueError):
        read(report)


def test_the_sites_interpreter_runs_and_pytest_is_asked_for_a_report() -> None:
    assert command(("python", "-m", "pytest", "-q"), "/s/python")[:4] == ("/s/python", "-m", "pytest", "-q")
    assert "junit_family=xunit1" in command(("/usr/bin/py.test",), "/s/python")
    assert command(("make", "test"), "/s/python") == ("make", "test")
    assert not reports(("python", "-m", "unittest"))


@pytest.mark.parametrize(
    ("before", "now", "code"),
    [
        ("passed", "passed", None), ("passed", "failed", "test-failed"), ("passed", "skipped", "test-gone"),
        ("passed", None, "test-gone"), ("failed", "failed", None), ("failed", "passed", None), ("failed", None, None),
        ("skipped", "failed", "test-failed"), ("skipped", None, None), (None, "failed", "test-failed"),
        (None, "passed", None),
    ],
)  # fmt: skip
def test_what_passed_must_pass_and_what_failed_is_debt(before: str | None, now: str | None, code: str | None) -> None:
    base, candidate = (
        Outcome(0, "", (Case("t", verdict),) if verdict else ())  # type: ignore[arg-type]
        for verdict in (before, now)
    )
    assert [one.code for one in objections(base, candidate)] == ([code] if code else [])


@pytest.mark.parametrize(("before", "now", "count"), [(0, 0, 0), (0, 3, 1), (1, 3, 0), (1, 0, 0)])
def test_without_a_report_the_status_counts(before: int, now: int, count: int) -> None:
    assert len(objections(Outcome(before), Outcome(now, "said"))) == count
    assert Outcome(before).failing == int(before != 0)


def test_a_report_in_an_encoding_that_nobody_knows_is_none() -> None:
    with pytest.raises(ValueError, match="klingon"):
        read(b'<?xml version="1.0" encoding="klingon"?><testsuites/>')
