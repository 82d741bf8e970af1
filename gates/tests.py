"""What the site's own test command is asked, how its report is read, and which failures are new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath
from typing import Literal
from xml.etree.ElementTree import Element, ParseError, fromstring

from bot.frozen import frozen
from bot.model import Objection

REPORT = ".plusone-junit.xml"
_PYTHON = frozenset({"python", "python3"})
_SHOWN = 300
Verdict = Literal["passed", "failed", "skipped"]


@frozen
class Case:
    """One test case's end. `file` is where it stands, as far as the report says; `said` is how it failed."""

    name: str
    verdict: Verdict
    file: str = ""
    said: str = ""


@frozen
class Outcome:
    """What one run of the command came to: its exit status, its last words, and test by test where it tells."""

    status: int
    tail: str = ""
    tests: tuple[Case, ...] | None = None

    @property
    def failing(self) -> int:
        """How many tests fail; 1 where the command tells no more than that it failed."""
        return int(self.status != 0) if self.tests is None else sum(one.verdict == "failed" for one in self.tests)


def command(words: tuple[str, ...], python: str) -> tuple[str, ...]:
    """The owner's command with the site's interpreter, and where it is pytest, with a report and without its cache."""
    first = python if words[0] in _PYTHON else words[0]
    more = (f"--junitxml={REPORT}", "-o", "junit_family=xunit1", "-p", "no:cacheprovider") if reports(words) else ()
    return (first, *words[1:], *more)


def reports(words: tuple[str, ...]) -> bool:
    """Whether the command is pytest, which tells its tests one by one."""
    return any(PurePosixPath(word).name in ("pytest", "py.test") for word in words)


def read(report: bytes) -> tuple[Case, ...]:
    """Every test of a junit report. Raises ValueError where it is none."""
    if b"<!DOCTYPE" in report or b"<!ENTITY" in report:
        raise ValueError("a document type is not read")
    try:
        root = fromstring(report)  # noqa: S314 - no document type, so no entity to expand
    except (ParseError, LookupError) as error:  # of an encoding that nobody knows
        raise ValueError(str(error)) from error
    return tuple(_case(one) for one in root.iter("testcase"))


def objections(base: Outcome, candidate: Outcome) -> tuple[Objection, ...]:
    """What passed at base and does not now; what failed or was skipped at base is debt."""
    if base.tests is None or candidate.tests is None:
        return () if base.status or not candidate.status else (_failed(candidate),)
    now = {test.name: test for test in candidate.tests}
    return tuple(_objections(base.tests, now))


def _objections(base: tuple[Case, ...], now: Mapping[str, Case]) -> Iterator[Objection]:
    known = {test.name: test for test in base}
    for name, before in known.items():
        if before.verdict == "passed" and (name not in now or now[name].verdict == "skipped"):
            yield _objection("test-gone", before, "no longer runs", "let it run, and pass")
    for name, test in now.items():
        if test.verdict == "failed" and (name not in known or known[name].verdict != "failed"):
            yield _objection("test-failed", test, "fails", "mend the code so that it passes; the test stays as it is")


def _objection(code: str, test: Case, what: str, accept: str) -> Objection:
    return Objection(code, "gate", test.file, test.name, f"the site's test {test.name} {what}", test.said, accept)


def _failed(candidate: Outcome) -> Objection:
    what = f"the site's tests passed before and fail now (exit status {candidate.status})"
    return Objection("tests-failed", "gate", "", "tests", what, candidate.tail, "mend the code so that they pass")


def _case(element: Element) -> Case:
    name = "::".join(part for part in (element.get("classname", ""), element.get("name", "")) if part)
    failure = next((found for kind in ("failure", "error") if (found := element.find(kind)) is not None), None)
    skipped = element.find("skipped")
    verdict: Verdict = "failed" if failure is not None else "skipped" if skipped is not None else "passed"
    said = " ".join((failure.get("message") or failure.text or "").split())[:_SHOWN] if failure is not None else ""
    return Case(name, verdict, element.get("file", ""), said)
