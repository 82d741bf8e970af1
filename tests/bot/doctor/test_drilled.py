"""What doctor says of the last drill."""

from __future__ import annotations

from pathlib import Path

from bot.agents.models import choose
from bot.compose import Shop
from bot.doctor.drilled import drilled
from bot.folders import Folders
from bot.machine.environment import Environment
from bot.model import Trigger
from bot.settings import load
from tests.support.drilled import drilled as on_record
from tests.support.drilled import result
from tests.support.settings import with_lines, written


def shop(config: Path) -> Shop:
    settings = load(config)
    trigger = Trigger("doctor", "2026-11-30T04:00:00+00:00", True, "doctor")
    where = Folders.of(config.parent / "state", settings.site.name)
    return Shop(settings, where, Environment(state=config.parent / "state"), trigger, choose("anthropic"))


def test_doctor_asks_for_a_drill_until_one_went_well(tmp_path: Path) -> None:
    config = written(tmp_path)
    asked = drilled(shop(config))
    assert (asked.level, asked.mend) == ("warning", "plusone drill") and "no drill" in asked.seen
    on_record(config, tmp_path / "state", result("forges", "survived"))
    assert "forges" in drilled(shop(config)).seen
    on_record(config, tmp_path / "state")
    assert drilled(shop(config)).level == "ok"
    config.write_text(with_lines("cycle", "max_files = 3"))
    assert "another configuration" in drilled(shop(config)).seen
