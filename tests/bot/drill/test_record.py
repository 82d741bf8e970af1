"""What is kept of a drill, and when it lets cycles start by themselves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bot.drill.record import FILE, keep, last, require
from bot.errors import ConfigError
from bot.settings import load
from tests.support.drilled import BASE, WHEN, result
from tests.support.settings import with_lines, written

GOOD = result("a-page", "passed", good=True)
STOPPED, SURVIVED = result("adds-two", "stopped"), result("forges", "survived")
BROKEN, REFUSED = result("forks", "broken"), result("a-feed", "wrongly stopped", good=True)
ELSEWHERE = result("adds-an-entry", "not here")


def test_a_record_is_read_as_it_was_kept(tmp_path: Path) -> None:
    settings = load(written(tmp_path))
    assert last(tmp_path) is None
    keep(tmp_path, settings, WHEN, BASE, (GOOD, STOPPED, SURVIVED, BROKEN, REFUSED, ELSEWHERE))
    found = last(tmp_path)
    assert found is not None
    assert (found.when, found.base, found.survivors) == (WHEN, BASE, ("forges", "forks"))
    assert json.loads((tmp_path / FILE).read_text())["results"][0]["verdict"] == "passed"
    assert sorted(path.name for path in tmp_path.iterdir()) == [FILE, "plusone.toml"]


def test_a_drill_in_which_all_was_stopped_lets_the_timer_be_installed(tmp_path: Path) -> None:
    settings = load(written(tmp_path))
    keep(tmp_path, settings, WHEN, BASE, (GOOD, STOPPED, REFUSED, ELSEWHERE))
    require(tmp_path, settings)


def test_without_a_drill_it_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no drill of harbour is on record"):
        require(tmp_path, load(written(tmp_path)))


def test_another_configuration_wants_another_drill(tmp_path: Path) -> None:
    config = written(tmp_path)
    keep(tmp_path, load(config), WHEN, BASE, (STOPPED,))
    config.write_text(with_lines("timer", 'jitter = "1min"'))
    require(tmp_path, load(config))  # when cycles start changes nothing in what stops a bad one
    config.write_text(with_lines("cycle", "max_files = 3"))
    with pytest.raises(ConfigError, match="another configuration"):
        require(tmp_path, load(config))


def test_another_program_wants_another_drill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load(written(tmp_path))
    keep(tmp_path, settings, WHEN, BASE, (STOPPED,))
    found = json.loads((tmp_path / FILE).read_text())
    (tmp_path / FILE).write_text(json.dumps({**found, "program": "0" * 64}))
    with pytest.raises(ConfigError, match="another program"):
        require(tmp_path, settings)


def test_survivors_are_named_until_each_is_accepted(tmp_path: Path) -> None:
    settings = load(written(tmp_path))
    keep(tmp_path, settings, WHEN, BASE, (STOPPED, SURVIVED, BROKEN))
    with pytest.raises(ConfigError, match=r"2 bad builder.*forges, forks") as told:
        require(tmp_path, settings)
    assert "--i-accept-the-survivors forges --i-accept-the-survivors forks" in str(told.value)
    with pytest.raises(ConfigError, match="forks"):
        require(tmp_path, settings, ("forges",))
    require(tmp_path, settings, ("forges", "forks"))


def test_a_name_that_did_not_survive_cannot_be_accepted(tmp_path: Path) -> None:
    settings = load(written(tmp_path))
    keep(tmp_path, settings, WHEN, BASE, (STOPPED, SURVIVED))
    with pytest.raises(ConfigError, match="adds-two: it did not survive"):
        require(tmp_path, settings, ("forges", "adds-two"))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"when": 1}', "null", "\x00", '{"survivors": 3}'])
def test_a_record_that_cannot_be_read_is_no_record(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(ConfigError, match="run `plusone drill` again"):
        last(tmp_path)
