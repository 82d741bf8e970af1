"""The tests part: the site's own tests as they stand at base, over base's code and over the candidate's."""

from __future__ import annotations

import json
import os
import stat
from dataclasses import asdict
from pathlib import Path

from bot.base.installed import packages
from bot.errors import SiteBroken
from bot.lines import one_line
from bot.model import Baseline, Bounds, Evidence, Job, Objection, Ran, Ready, Site, Snapshot
from bot.parts.tools import Tools, cache_key
from bot.workspace.handles import OPEN
from gates.tests import REPORT, Case, Outcome, command, objections, read, reports

_LARGEST = 16 * 1024**2
_TAIL = 400


class TestsPart:
    """Implements `ports.GatePart`. `words` is the command as the owner gave it; it runs in a copy of its own."""

    __test__ = False  # for pytest: the name is not its business
    name = "tests"

    def __init__(self, tools: Tools, site: Site, words: tuple[str, ...], seconds: float = 300.0) -> None:
        self._tools, self._site, self._words, self._seconds = tools, site, words, seconds
        self._about = (words, site.python, packages(site.python), site.path, site.env)

    def baseline(self, base_tree: str) -> Baseline:
        """How base's tests end. Failures are debt. Raises SiteBroken where the command itself cannot work."""
        outcome, _ = self._base(base_tree)
        return Baseline(self.name, self._key(base_tree), self._words[0], _counts(outcome))

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """What passes at base and fails on the snapshot, twice in a row: a test that wavers is no fault of a change."""
        started = self._tools.clock.monotonic()
        base, cached = self._base(ready.base_tree)
        candidate, against = self._judged(base, ready, snapshot)
        if against:
            candidate, again = self._judged(base, ready, snapshot)
            sure = {one.identity for one in again}
            against = tuple(one for one in against if one.identity in sure)
        counts = {**_counts(candidate), "failing at base": base.failing, "new": len(against)}
        seconds = self._tools.clock.monotonic() - started
        return against, Evidence(self.name, counts, "", (), seconds, cached)

    def _key(self, tree: str) -> str:
        return cache_key("tests", tree, *self._about)

    def _base(self, tree: str) -> tuple[Outcome, bool]:
        kept = _load(self._tools.cache.get(self._key(tree)))
        if kept is not None:
            return kept, True
        try:
            outcome = self._run(tree, tree)
        except ValueError as error:
            raise SiteBroken(f"gate.tests.command: {error}; mend the command, or the tests on the branch") from error
        self._tools.cache.put(self._key(tree), json.dumps(asdict(outcome)).encode())
        return outcome, False

    def _judged(self, base: Outcome, ready: Ready, snapshot: Snapshot) -> tuple[Outcome, tuple[Objection, ...]]:
        try:
            candidate = self._run(snapshot.tree, ready.base_tree)
        except ValueError as error:
            return Outcome(1, str(error)), (_broken(str(error)),)
        return candidate, objections(base, candidate)

    def _run(self, tree: str, base_tree: str) -> Outcome:
        """Raises ValueError where it did not end, or told nothing that can be read."""
        with self._tools.exports.export(tree, rules_of=base_tree, tests_of=base_tree) as folder:
            ran = self._tools.sandbox.run(self._job(folder))
            tail = self._tools.redaction.text(_tail(ran))
            if ran.ended != "exit":
                raise ValueError(f"the tests were stopped at their limit ({ran.ended}, {ran.seconds:.0f} s): {tail}")
            if not reports(self._words):
                return Outcome(ran.status, tail)
            try:
                return Outcome(ran.status, tail, read(_report(folder)))
            except (OSError, ValueError) as error:
                raise ValueError(f"no report of the tests can be read (exit status {ran.status}): {tail}") from error

    def _job(self, folder: Path) -> Job:
        site = self._site
        places = [place for part in site.path for place in (f"/w/{part}", part)]  # the latter where nothing is mounted
        env = {"PYTHONPATH": ":".join(places), **(site.env or {})}
        bounds = Bounds(seconds=self._seconds, output=_LARGEST)
        return Job(command(self._words, site.python), str(folder), "check", True, env, site.read, bounds=bounds)


def _report(folder: Path) -> bytes:
    """What the command left behind; untrusted code had the folder, so no link is followed and nothing is waited for."""
    handle = os.open(folder / REPORT, OPEN)
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise ValueError(f"{REPORT} is no file")
        content = file.read(_LARGEST + 1)
    if len(content) > _LARGEST:
        raise ValueError(f"{REPORT} is larger than {_LARGEST} bytes")
    return content


def _counts(outcome: Outcome) -> dict[str, int]:
    tests = outcome.tests if outcome.tests is not None else (Case("", "failed" if outcome.status else "passed"),)
    verdicts = [test.verdict for test in tests]
    return {name: verdicts.count(name) for name in ("passed", "failed", "skipped")}


def _tail(ran: Ran) -> str:
    """The last words, on whichever stream they were said."""
    said = (ran.stdout[-4 * _TAIL :] + b"\n" + ran.stderr[-4 * _TAIL :]).decode("utf-8", "replace")
    return one_line(said)[-_TAIL:]


def _broken(why: str) -> Objection:
    accept = "the site's tests run to their end, as they do at base"
    return Objection("tests-broken", "gate", "", "tests", "the site's tests do not get through", why, accept)


def _load(content: bytes | None) -> Outcome | None:
    try:
        kept = json.loads(content) if content is not None else None
        if kept is None:
            return None
        tests = kept["tests"]
        return Outcome(kept["status"], kept["tail"], None if tests is None else tuple(Case(**one) for one in tests))
    except (ValueError, KeyError, TypeError):
        return None
