"""What the linter is asked, how its answer is read, and which violations are new."""

from __future__ import annotations

import json
import posixpath
import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from bot.frozen import frozen
from bot.model import Objection, TreeEntry

CONFIGURATION = frozenset({"pyproject.toml", "ruff.toml", ".ruff.toml"})
_OPTIONS = (
    "--output-format=json --no-cache --no-fix --no-fix-only --no-show-fixes --no-force-exclude --no-respect-gitignore"
)
_SUPPRESSION = re.compile(r"#\s*(noqa\b|(ruff|flake8)\s*:).*$", re.IGNORECASE)
_WHOLE_FILE = frozenset({"CPY001", "D100", "D104", "E902", "INP001"})
_REGULAR = frozenset({"100644", "100755"})
_SYNTAX = "invalid-syntax"
_OLD_SYNTAX = "E999"  # what older versions called it


@frozen
class Violation:
    """One finding. Its identity leaves the line number out, so that shifted lines are not new ones."""

    path: str
    rule: str
    row: int
    text: str
    message: str

    @property
    def identity(self) -> tuple[str, str, str]:
        """Path, rule and source line text; for findings on a whole file, no text."""
        return (self.path, self.rule, "" if self.rule in _WHOLE_FILE else self.text)


@frozen
class Report:
    """All findings of one tree, as configured, and again with every suppression ignored."""

    plain: tuple[Violation, ...]
    unsuppressed: tuple[Violation, ...]


def sources(entries: Mapping[str, TreeEntry]) -> tuple[str, ...]:
    """Every regular Python file of a tree, in order."""
    return tuple(sorted(path for path, one in entries.items() if path.endswith((".py", ".pyi")) and _is_file(one)))


def configuration(entries: Mapping[str, TreeEntry], blob: Callable[[str], bytes]) -> tuple[tuple[str, str], ...]:
    """Path and object of each file that configures the linter or is extended by one: what the cache key depends on."""
    found = {path for path, one in entries.items() if PurePosixPath(path).name in CONFIGURATION and _is_file(one)}
    waiting = [*found]
    while waiting:
        path = waiting.pop()
        extended = _extended(path, blob(entries[path].oid))
        if extended in entries and extended not in found and _is_file(entries[extended]):
            found.add(extended)
            waiting.append(extended)
    return tuple(sorted((path, entries[path].oid) for path in found))


def _extended(path: str, content: bytes) -> str:
    """The file that one of the linter's settings builds upon, empty where it does not."""
    try:
        found = tomllib.loads(content.decode("utf-8"))
    except ValueError:
        return ""  # the linter itself says what is wrong
    if PurePosixPath(path).name == "pyproject.toml":
        tool = found.get("tool")
        ruff = tool.get("ruff") if isinstance(tool, dict) else None
        found = ruff if isinstance(ruff, dict) else {}
    named = found.get("extend")
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), named)) if isinstance(named, str) else ""


def command(ruff: str, paths: Sequence[str], *, ignore_noqa: bool) -> tuple[str, ...]:
    """The linter's own words. Paths start with `./`, so that none can be read as an option or an argument file."""
    return (
        *(ruff, "check", *_OPTIONS.split()),
        *(("--ignore-noqa",) if ignore_noqa else ()),
        "--",
        *(f"./{path}" for path in paths),
    )


def read(answer: bytes, roots: Iterable[str], lines: Mapping[str, Sequence[str]]) -> tuple[Violation, ...]:
    """The findings in the linter's JSON. `roots` are the folders that its paths may start with.

    Raises ValueError where the answer is not what the linter promises.
    """
    found = json.loads(answer)
    if not isinstance(found, list):
        raise ValueError("a list was expected")
    return tuple(_violation(item, tuple(roots), lines) for item in found)


def objections(base: Report, candidate: Report, renames: Mapping[str, str] | None = None) -> tuple[Objection, ...]:
    """Everything that the candidate violates and base does not, line for line, old debt left out.

    `renames` gives for a file's new path the one that it had: its old debt came along.
    """
    base = _moved(base, {old: new for new, old in (renames or {}).items()})
    plain = tuple(_new(base.plain, candidate.plain))
    shown = {violation.identity for violation in plain}
    hidden = (one for one in _new(base.unsuppressed, candidate.unsuppressed) if one.identity not in shown)
    return (*(_objection(one) for one in plain), *(_suppressed(one) for one in hidden))


def _moved(report: Report, renames: Mapping[str, str]) -> Report:
    sides = (report.plain, report.unsuppressed)
    return Report(*(tuple(replace(one, path=renames.get(one.path, one.path)) for one in side) for side in sides))


def _is_file(entry: TreeEntry) -> bool:
    return entry.mode in _REGULAR


def _violation(item: object, roots: tuple[str, ...], lines: Mapping[str, Sequence[str]]) -> Violation:
    match item:
        case {
            "filename": str(name),
            "location": {"row": int(row)},
            "message": str(message),
            "code": (str() | None) as code,
        }:
            path = next((name.removeprefix(f"{root}/") for root in roots if name.startswith(f"{root}/")), None)
            if path is None:
                raise ValueError(f"{name} lies outside the tree")
            text = lines[path][row - 1] if path in lines and 0 < row <= len(lines[path]) else ""
            rule = _SYNTAX if code in (None, _OLD_SYNTAX) else str(code)
            return Violation(path, rule, row, _SUPPRESSION.sub("", text).strip(), message)
    raise ValueError("a violation without filename, location, message or code")


def _new(base: Iterable[Violation], candidate: Iterable[Violation]) -> Iterable[Violation]:
    """The candidate's findings beyond base's count of the same; of syntax errors only a file's first new one is told.

    A file that had one at base may have more of the same, but none of another kind.
    """
    known = Counter(violation.identity for violation in base)
    wrong_at_base = {(violation.path, violation.message) for violation in base if violation.rule == _SYNTAX}
    told: set[str] = set()
    for violation in candidate:
        if violation.rule == _SYNTAX:
            if (violation.path, violation.message) not in wrong_at_base and violation.path not in told:
                told.add(violation.path)
                yield violation
        elif known[violation.identity] > 0:
            known[violation.identity] -= 1
        else:
            yield violation


def _objection(violation: Violation) -> Objection:
    broken = violation.rule == _SYNTAX
    return Objection(
        code="syntax-error" if broken else "lint",
        node="gate",
        where=f"{violation.path}:{violation.row}",
        subject=violation.rule if broken else f"{violation.rule} {violation.text}".strip(),
        what=f"{violation.path} cannot be parsed" if broken else f"a new violation of {violation.rule}",
        seen=violation.message,
        accept="mend the syntax" if broken else f"mend the line so that ruff reports no {violation.rule} there",
    )


def _suppressed(violation: Violation) -> Objection:
    return Objection(
        code="lint-suppressed",
        node="gate",
        where=f"{violation.path}:{violation.row}",
        subject=f"{violation.rule} {violation.text}".strip(),
        what=f"a new violation of {violation.rule} that a comment hides",
        seen=violation.message,
        accept="mend the line and leave the suppressing comment out",
    )
