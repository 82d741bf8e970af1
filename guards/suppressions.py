"""Guard: no check is told to look away."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import PurePosixPath

from bot.model import Objection
from guards import jinja, python
from guards.facts import Facts
from guards.fresh import Found, fresh, objection
from guards.languages import is_python, is_template

PYTHON = {
    "noqa": r"#\s*(?:ruff\s*:\s*|flake8\s*[:=]\s*)?noqa\b",
    "type: ignore": r"#\s*type\s*:\s*ignore\b",
    "a type checker's ignore": r"#\s*(?:mypy|pyright|pyre|ty|pytype)\s*[-:]\s*\w*(?:ignore|disable|basic|off|skip)",
    "pragma: no cover": r"#\s*pragma\s*+:?+\s*+no[\s_-]*(?:cover|branch)",
    "nosec": r"#\s*(?:nosec|nosemgrep|noqa-security|nosonar|lgtm\s*\[)",
    "pylint: disable": r"#\s*pylint\s*:\s*(?:disable|skip-file)",
    "a formatter's switch": r"#\s*(?:fmt|yapf|isort|ruff|black)\s*:\s*(?:off|skip|disable|isort)",
    "a doctest's skip": r"^(?>.*?(?=#\s*doctest\s*:))(?P<said>.*\+skip)",
}
TEMPLATE = {
    "djlint's switch": r"djlint\s*:\s*(?:off|ignore)",
    "curlylint's switch": r"curlylint\s*+:?+\s*+(?:disable|ignore|off)",
    "a template linter's switch": r"(?:htmlhint|webhint|prettier|markuplint|j2lint)[-\s:]*(?:disable|ignore|off)",
}
# A line is looked through from its first mark of a comment, and not from each once more.
_COMMENT = r"^(?>.*?(?=//|/\*))(?P<said>.*"
SCRIPT = {
    "eslint-disable": rf"{_COMMENT}\b(?:eslint|oxlint|tslint|jshint|jslint|stylelint|deno-lint)"
    r"[-\s:]+(?:disable|ignore))",
    "a type checker's ignore": rf"{_COMMENT}@ts-(?:ignore|nocheck|expect-error))",
    "a coverage or format switch": rf"{_COMMENT}\b(?:istanbul|c8|v8|prettier|biome)[-\s]ignore)",
}
DATA = {"yamllint's switch": r"#\s*yamllint\s+disable", "markdownlint's switch": r"<!--\s*markdownlint-disable"}
_SKIPS = re.compile(
    r"pytest\.(?:mark\.)?(?:skip|skipif|xfail|importorskip)|unittest\.(?:case\.)?(?:skip\w*|expectedFailure|SkipTest)"
)


def suppressions(facts: Facts) -> Iterator[Objection]:
    """Objects to new directives that silence linters, type checkers, coverage or formatters, and to skipped tests.

    Directives count in comments alone: a text that mentions one is a text.
    """
    for path, found in fresh(facts, _found):
        what = "a check is told to look away"
        yield objection("suppression", path, found, what, "code that every check passes")


def _found(path: str, text: str) -> Iterator[Found]:
    if is_python(path):
        yield from _named(PYTHON, python.comments(text))
        yield from _skips(text)
    if is_template(path):
        yield from _named({**TEMPLATE, **SCRIPT}, jinja.comments(text))
    if is_template(path) or PurePosixPath(path).suffix in (".js", ".mjs", ".ts", ".css", ".scss"):
        yield from _named(SCRIPT, enumerate(text.split("\n"), 1))
    if PurePosixPath(path).suffix in (".yml", ".yaml", ".md"):
        yield from _named(DATA, enumerate(text.split("\n"), 1))


def _named(shapes: dict[str, str], pieces: Iterator[tuple[int, str]] | enumerate[str]) -> Iterator[Found]:
    for line, piece in pieces:
        for name, shape in shapes.items():
            if found := re.search(shape, piece, re.IGNORECASE | re.MULTILINE):
                yield Found(name, found.groupdict().get("said", found[0]), line)


def _skips(text: str) -> Iterator[Found]:
    tree = python.parsed(text)
    if tree is None:
        return
    names = python.Names(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name | ast.Attribute) and _SKIPS.fullmatch(names.path(node)):
            yield Found("a skipped test", names.path(node), node.lineno)
        elif isinstance(node, ast.Attribute) and node.attr in ("skipTest", "addSkip"):
            yield Found("a skipped test", node.attr, node.lineno)
        elif isinstance(node, ast.Assign) and any(_is_named(one, "__test__") for one in node.targets):
            yield Found("a skipped test", "__test__", node.lineno)


def _is_named(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
