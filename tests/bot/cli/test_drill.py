"""`plusone drill`: what it prints, keeps and refuses; the whole of it is run by `make drill`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.commands import complaint, demo_stage, plusone


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return demo_stage(tmp_path_factory.mktemp("drilled") / "demo").config


def test_a_bad_builder_is_stopped_and_a_good_one_passes(config: Path) -> None:
    before = sorted(config.parent.rglob("*"))
    done = plusone("drill", "--only", "adds-nothing", "--only", "a-page", "--json", "--config", config)
    assert done.status == 0, done
    rows = {str(one["name"]): one for one in json.loads(done.out)["drills"]}
    assert (rows["a-page"]["verdict"], rows["a-page"]["good"]) == ("passed", True)
    assert (rows["adds-nothing"]["verdict"], rows["adds-nothing"]["by"]) == ("stopped", "scope: nothing-changed")
    left = {path.relative_to(config.parent / "state") for path in (config.parent / "state").rglob("*")}
    assert [str(path) for path in sorted(left) if path.name not in ("drill.lock",)][1:] == sorted(
        f"harbour-lights/{name}" for name in ("cache", "cycles", "scratch")
    )  # a part of a drill is not put on record, and the arena is gone
    assert [path for path in before if not path.exists()] == []


def test_drills_are_listed_without_running_any(config: Path) -> None:
    done = plusone("drill", "--list", "--config", "nowhere.toml")
    kinds = [line.split()[0] for line in done.out.splitlines()]
    assert done.status == 0 and kinds.count("bad") >= 40 and kinds.count("good") >= 10
    names = [line.split()[1] for line in done.out.splitlines()]
    assert len(names) == len(set(names))


def test_an_unknown_drill_is_refused(config: Path) -> None:
    assert "no such drill" in complaint(plusone("drill", "--only", "adds-everything", "--config", config), 78)


def test_a_site_that_cannot_be_loaded_is_refused_with_its_own_message(tmp_path: Path) -> None:
    made = demo_stage(tmp_path / "demo")
    made.config.write_text(made.config.read_text().replace("lights.app:create_app", "lights.app:nothing"))
    said = complaint(plusone("drill", "--config", made.config), 78)
    assert "lights.app:nothing" in said
