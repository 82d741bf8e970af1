"""The page of attacks names every one of them, and every test that it names is there."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROW = re.compile(r"\| (\d+) \| [^|]+ \| ([^|]+) \|")
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_each_attack_names_tests_that_exist() -> None:
    rows = {int(number): NAMED.findall(tests) for number, tests in ROW.findall((ROOT / "docs/attacks.md").read_text())}
    assert sorted(rows) == list(range(1, 26)) and all(rows.values())
    assert [f"{path}::{name}" for tests in rows.values() for path, name in tests if name not in _tests(path)] == []


@cache
def _tests(path: str) -> frozenset[str]:
    file = ROOT / path
    tree = ast.parse(file.read_text() if file.exists() else "")
    return frozenset(node.name for node in tree.body if isinstance(node, ast.FunctionDef))
