"""The table of endings agrees with the files and with the exit statuses."""

from __future__ import annotations

from pathlib import Path

import pytest

import bot.demo
from bot.demo import ENDINGS, ending
from bot.errors import ConfigError


def test_every_script_has_an_ending_and_every_ending_its_script() -> None:
    files = {path.stem for path in (Path(bot.demo.__file__).parent / "scripts").glob("*.json")}
    assert files == {one.name for one in ENDINGS if one.script is not None}


def test_names_are_unique() -> None:
    assert len({one.name for one in ENDINGS}) == len(ENDINGS)


def test_only_failures_exit_with_one() -> None:
    assert {one.name for one in ENDINGS if one.status} == {"not-converged", "no-progress"}


def test_a_skipped_cycle_needs_no_script() -> None:
    assert ending("skipped").script is None


def test_an_unknown_ending_is_refused_with_the_names_that_exist() -> None:
    with pytest.raises(ConfigError, match=r'"sunk"; there are committed, .*skipped'):
        ending("sunk")
