"""Holds the shape of the program: who may import whom, one gateway for each side effect, and small parts."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.architecture import (
    Rule,
    foreign,
    heavy,
    large,
    not_everywhere,
    side_effects,
    silent,
    trespasses,
    vague,
)
from tests.support.source import STAND_ALONE, Module, modules

RUNS = tuple(module for module in modules() if not module.stands_alone)
ALONE = tuple(module for module in modules() if module.stands_alone)


def broken(rule: Rule, held: tuple[Module, ...]) -> str:
    """What the rule finds, a line each, so that a failure shows all of it."""
    return "\n".join(line for module in held for line in rule(module))


def new(name: str, text: str) -> Module:
    return Module("new.py", name, text, ast.parse(text))


def test_imports_point_downwards() -> None:
    assert broken(trespasses, RUNS) == ""


def test_each_side_effect_has_one_gateway() -> None:
    assert broken(side_effects, RUNS) == ""


def test_the_models_client_is_imported_only_when_a_model_is_called() -> None:
    assert broken(heavy, RUNS) == ""


def test_nothing_imports_what_stands_alone() -> None:
    assert broken(foreign, modules()) == ""


def test_what_stands_alone_is_python_3_9_with_the_standard_library_and_flask() -> None:
    assert sorted(module.path for module in ALONE) == sorted(STAND_ALONE)
    assert broken(not_everywhere, ALONE) == ""


def test_modules_and_functions_are_small() -> None:
    assert broken(large, modules()) == ""


def test_names_say_something() -> None:
    assert broken(vague, modules()) == ""


def test_nothing_breaks_silently() -> None:
    assert broken(silent, RUNS) == ""


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("guards.new", "from bot.errors import ConfigError", "guards may not import bot.errors"),
        ("guards.new", "def f():\n    import bot.store.git", "guards may not import bot.store.git"),
        ("bot.graph.new", "from bot.model import Ready", "bot.graph may not import bot.model"),
        ("bot.nodes.new", "from bot.store.repository import Store", "bot.nodes may not import bot.store.repository"),
        ("bot.nodes.new", "from bot.store import git", "bot.nodes may not import bot.store.git"),
        ("bot.store.new", "from bot.nodes.build import Build", "bot may not import bot.nodes.build"),
        ("bot.compose", "from bot.cli.reported import reported", "bot.compose may not import bot.cli.reported"),
    ],
)
def test_a_trespass_is_seen(name: str, text: str, told: str) -> None:
    assert [told in found for found in trespasses(new(name, text))] == [True]


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (side_effects, "import subprocess"),
        (side_effects, "def f():\n    from git import Repo"),
        (side_effects, "import time"),
        (side_effects, "import os\nos.environ['HOME']"),
        (side_effects, "from os import getenv"),
        (side_effects, "import os\nos.execv('/bin/sh', [])"),
        (side_effects, "import datetime\ndatetime.datetime.now()"),
        (heavy, "from anthropic import Anthropic"),
        (foreign, "from guards import probe"),
        (not_everywhere, "import pydantic"),
        (not_everywhere, "isinstance(1, int | str)"),
        (large, "x = 1\n" * 201),
        (large, "def f():\n" + "    x = 1\n" * 41),
        (large, "def f(a, b, c, d, e, f, g): ..."),
        (vague, "x = 1"),
        (vague, '"""Owns."""\ndef handle_it(): ...'),
        (silent, "try:\n    x = 1\nexcept Exception:\n    pass"),
    ],
)
def test_a_broken_rule_is_seen_with_its_file_and_line(rule: Rule, text: str) -> None:
    found = list(rule(new("bot.new", text)))
    assert len(found) == 1
    assert re.match(r"new\.py:\d+: ", found[0])


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (heavy, "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import anthropic"),
        (heavy, "def client():\n    import anthropic"),
        (silent, "try:\n    x = 1\nexcept BaseException:\n    x = 2\n    raise"),
        (side_effects, "import os\nos.fsync(1)"),
    ],
)
def test_what_is_allowed_passes(rule: Rule, text: str) -> None:
    assert list(rule(new("bot.new", text))) == []
