"""The lint part: the linter run in the sandbox under base's own configuration, on base and on the candidate."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from bot.base.installed import version_of
from bot.errors import GateBroken, SiteBroken
from bot.frozen import frozen
from bot.model import Baseline, Bounds, Evidence, Job, Objection, Ran, Ready, Snapshot
from bot.parts.tools import Tools, cache_key
from gates.lint import Report, Violation, command, configuration, objections, read, sources
from gates.renames import renames

_BATCH = 1500
_CLEAN, _FOUND = 0, 1
_OLDEST = (0, 5)


@frozen
class Ruff:
    """The linter's binary and its version; one serves both sides."""

    path: str
    version: str


def choose_ruff(python: str) -> Ruff:
    """The linter of the site's own environment where one is installed there, else the one that Plusone brings along.

    Its version is read from the names of what is installed: nothing is run. One that is too old to answer in the way
    that is asked for is passed over.
    """
    from ruff import find_ruff_bin

    binary, known = Path(python).parent / "ruff", version_of(python, "ruff")
    numbers = re.match(r"(\d+)\.(\d+)\.", known)
    if numbers and (int(numbers[1]), int(numbers[2])) >= _OLDEST and _is_program(binary):
        return Ruff(str(binary), known)
    return Ruff(find_ruff_bin(), version("ruff"))


class _Stopped(GateBroken):
    """The linter did not end within its limits; `file` is the largest that it had to read."""

    def __init__(self, limit: str, file: str) -> None:
        super().__init__(f"lint: ruff was stopped at its limit ({limit}); the largest file is {file}")
        self.file = file


class LintPart:
    """Implements `ports.GatePart`."""

    name = "lint"

    def __init__(self, tools: Tools, ruff: Ruff, seconds: float = 300.0) -> None:
        self._tools, self._ruff, self._seconds = tools, ruff.path, seconds
        self._version = ruff.version

    def baseline(self, base_tree: str) -> Baseline:
        """How many violations base has. Raises SiteBroken where the linter cannot work under base's configuration."""
        try:
            report, _ = self._report(base_tree, base_tree)
        except GateBroken as broken:
            raise SiteBroken(f"{broken}; mend the linter's configuration on the branch") from broken
        counts = {"violations": len(report.plain), "files": len(sources(self._tools.objects.entries(base_tree)))}
        return Baseline(self.name, self._key(base_tree, base_tree), f"ruff {self._version}", counts)

    def judge(self, ready: Ready, snapshot: Snapshot) -> tuple[tuple[Objection, ...], Evidence]:
        """What the snapshot violates and base does not. Raises GateBroken where the linter's answer cannot be read."""
        started = self._tools.clock.monotonic()
        base, cached = self._report(ready.base_tree, ready.base_tree)
        try:
            candidate, _ = self._report(snapshot.tree, ready.base_tree)
        except _Stopped as stopped:
            return (_slow(stopped),), Evidence(self.name, {"files": 0}, f"ruff {self._version}", cached=cached)
        objects = self._tools.objects
        sides = objects.entries(ready.base_tree), objects.entries(snapshot.tree)
        against = objections(base, candidate, renames(*sides, objects.blob))
        counts = {"files": len(sources(sides[1])), "violations at base": len(base.plain), "new": len(against)}
        seconds = self._tools.clock.monotonic() - started
        return against, Evidence(self.name, counts, f"ruff {self._version}", seconds=seconds, cached=cached)

    def _key(self, tree: str, rules_of: str) -> str:
        return cache_key("lint", tree, self._ruff, self._version, self._rules(rules_of))

    def _rules(self, tree: str) -> tuple[tuple[str, str], ...]:
        return configuration(self._tools.objects.entries(tree), self._tools.objects.blob)

    def _report(self, tree: str, rules_of: str) -> tuple[Report, bool]:
        key = self._key(tree, rules_of)
        kept = _load(self._tools.cache.get(key))
        if kept is not None:
            return kept, True
        paths = sources(self._tools.objects.entries(tree))
        also = {path for path, _ in self._rules(rules_of)}
        with self._tools.exports.export(tree, rules_of=rules_of, also=also) as folder:
            plain, unsuppressed = (tuple(self._found(folder, paths, ignoring)) for ignoring in (False, True))
        report = Report(plain, unsuppressed)
        self._tools.cache.put(key, json.dumps(asdict(report)).encode())
        return report, False

    def _found(self, folder: Path, paths: Sequence[str], ignore_noqa: bool) -> Iterator[Violation]:
        for start in range(0, len(paths), _BATCH):
            batch = paths[start : start + _BATCH]
            ran = self._tools.sandbox.run(self._job(folder, command(self._ruff, batch, ignore_noqa=ignore_noqa)))
            lines = {path: (folder / path).read_text("utf-8", "replace").split("\n") for path in batch}
            if ran.ended != "exit":
                raise _Stopped(ran.ended, max(batch, key=lambda path: len((folder / path).read_bytes())))
            try:
                yield from read(_answer(ran), ("/w", str(folder), str(folder.resolve())), lines)
            except ValueError as error:
                raise GateBroken(f"lint: ruff's answer cannot be read: {error}") from error

    def _job(self, folder: Path, argv: tuple[str, ...]) -> Job:
        bounds = Bounds(seconds=self._seconds, output=64 * 1024**2)
        return Job(argv, str(folder), read=(str(Path(self._ruff).parent),), bounds=bounds)


def _is_program(path: Path) -> bool:
    """Whether it is a binary that can be run; a script would need an interpreter that the sandbox may not show."""
    if not path.is_file() or not os.access(path, os.X_OK):
        return False
    with path.open("rb") as file:
        return file.read(4) == b"\x7fELF"


def _slow(stopped: _Stopped) -> Objection:
    what = "the linter gets through base in time, and not through this"
    return Objection("lint-slow", "gate", stopped.file, "lint", what, str(stopped), "files that can be linted in time")


def _answer(ran: Ran) -> bytes:
    if ran.status not in (_CLEAN, _FOUND):
        said = " ".join(ran.stderr.decode("utf-8", "replace").split())[:300]
        raise GateBroken(f"lint: ruff exited {ran.status}: {said}")
    return ran.stdout


def _load(content: bytes | None) -> Report | None:
    try:
        kept = json.loads(content) if content is not None else None
        if kept is None:
            return None
        return Report(*(tuple(Violation(**one) for one in kept[mode]) for mode in ("plain", "unsuppressed")))
    except (ValueError, KeyError, TypeError):
        return None
