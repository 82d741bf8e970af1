"""A firing put together: what is made when, by which name, and that a refusal costs nothing dear."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.models import ModelChoice, choose
from bot.compose import Bodies, Shop
from bot.cycle import NODES
from bot.errors import CredentialsRefused, JournalError
from bot.folders import Folders
from bot.machine.environment import Environment
from bot.model import Refused
from bot.operation.holds import PAUSED
from bot.settings import load
from tests.support import values
from tests.support.repository import Scene, scene
from tests.support.settings import SOUND, written
from tests.support.source import ROOT

SCRIPT = ModelChoice("script", Path("/nowhere.json"))
FIRE = """
import json, sys
from pathlib import Path
from bot.machine.environment import Environment
from bot.firing.start import Order, fire
from bot.folders import Folders
from bot.agents.models import choose
from bot.settings import load
settings = load(Path(sys.argv[1]))
folders = Folders(Path(sys.argv[2]))
done = fire(Order(settings, folders, Environment(Path(sys.argv[2])), choose("anthropic")))
dear = ("anthropic", "httpx2", "babel", "selectolax", "genai_prices", "ruff")
dear += ("bot.sandbox", "bot.agents.agent", "bot.base.survey", "bot.parts", "guards")
loaded = [name for name in dear if name in sys.modules]
json.dump({"report": done, "loaded": loaded, "left": sorted(p.name for p in folders.root.rglob("*"))}, sys.stdout)
"""


@pytest.fixture
def here(tmp_path: Path) -> Scene:
    return scene(tmp_path)


def config(folder: Path, here: Scene, quiet: str = "3650d") -> Path:
    text = SOUND.replace('name = "harbour"\n', f'name = "harbour"\nremote = "{here.bare}"\n')
    return written(folder, text.replace("[cycle]\n", f'[cycle]\nquiet_period = "{quiet}"\n'))


def shop(folder: Path, here: Scene, choice: ModelChoice = SCRIPT, key: str = "") -> Shop:
    folders = Folders(folder / "state")
    folders.create()
    settings = load(config(folder, here))
    return Shop(settings, folders, Environment(folder / "state", key=key), values.trigger(), choice)


def fired(folder: Path, here: Scene) -> dict[str, object]:
    command = [sys.executable, "-c", FIRE, str(config(folder, here)), str(folder / "state")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_firing_that_is_too_soon_loads_nothing_dear_and_leaves_no_folder(tmp_path: Path, here: Scene) -> None:
    found = fired(tmp_path, here)
    report = found["report"]
    assert isinstance(report, dict)
    assert (report["outcome"], report["path"]) == ("skipped", ["precheck", "skipped"])
    assert "cycle.quiet_period" in report["reason"]
    assert found["loaded"] == []
    left = found["left"]
    assert isinstance(left, list)
    assert not {"scratch", report["cycle"]} & {*left}, "a skip leaves its record and nothing else"


def test_there_is_a_body_for_every_node_and_no_other() -> None:
    assert list(Bodies(None)) == [node.name for node in NODES]  # type: ignore[arg-type]
    assert len(Bodies(None)) == len(NODES)  # type: ignore[arg-type]


def test_a_name_that_is_no_node_has_no_body(tmp_path: Path, here: Scene) -> None:
    with pytest.raises(KeyError):
        Bodies(shop(tmp_path, here))["deploy"]


@pytest.mark.parametrize("name", ["precheck", "scope", "guards", "gate", "decide", "commit", "skipped"])
def test_looking_a_body_up_opens_no_sandbox_and_no_client(tmp_path: Path, here: Scene, name: str) -> None:
    made = shop(tmp_path, here)
    assert callable(Bodies(made)[name])
    assert not {"sandbox", "agent", "transport", "reader", "panel", "parts", "freezer"} & vars(made).keys()


def test_each_part_is_made_once(tmp_path: Path, here: Scene) -> None:
    made = shop(tmp_path, here)
    assert made.journal is made.journal
    assert made.store is made.store
    assert made.graph is made.graph


def test_a_hold_refuses_before_the_store_is_fetched_or_base_is_surveyed(tmp_path: Path, here: Scene) -> None:
    made = shop(tmp_path, here)
    made.journal.set_note(PAUSED, "since noon")
    refused = made.precheck(values.trigger())
    assert isinstance(refused, Refused)
    assert refused.code == "paused"
    assert not {"survey", "sandbox"} & vars(made).keys()
    assert made.store.kept("") == {}


def test_a_live_checkout_is_looked_at_only_where_there_is_one(tmp_path: Path, here: Scene) -> None:
    without = len(shop(tmp_path, here).holds)
    text = config(tmp_path, here).read_text().replace("[cycle]\n", 'checkout = "."\n[cycle]\n', 1)
    (tmp_path / "plusone.toml").write_text(text)
    folders = Folders(tmp_path / "state")
    made = Shop(load(tmp_path / "plusone.toml"), folders, Environment(tmp_path), values.trigger(), SCRIPT)
    assert len(made.holds) == without + 1


def test_what_a_cycle_knew_and_was_thrown_away_is_said_with_what_next(tmp_path: Path, here: Scene) -> None:
    with pytest.raises(JournalError, match="start a new cycle"):
        shop(tmp_path, here).known(values.ready())


def test_the_models_key_is_known_to_the_guards_only_where_a_model_is_paid(tmp_path: Path, here: Scene) -> None:
    assert shop(tmp_path, here).panel._secrets == ()
    assert shop(tmp_path, here, choose("anthropic"), "sk-own-key").panel._secrets == ("sk-own-key",)


def test_without_a_key_the_real_model_is_refused_by_name_and_a_script_is_not(tmp_path: Path, here: Scene) -> None:
    with pytest.raises(CredentialsRefused):
        shop(tmp_path, here, choose("anthropic")).client()
