"""Settings that vary by themselves are told from those that were given another value, over a real site."""

from __future__ import annotations

import pytest

from bot.base.known import Known
from bot.base.panel import Declared, GuardPanel
from bot.base.reader import SandboxReader
from bot.base.restless import restless
from bot.errors import SiteBroken
from bot.model import Change, Holdings, Limits, Snapshot
from tests.support.holdings import BASE, FEATURE
from tests.support.sites import CLAIM, Yard, dedented, site, yard

APP = """
import secrets
from flask import Flask
app = Flask(__name__)
app.config["SECRET_KEY"] = secrets.token_hex(16)
app.config["STATION"] = "mole"
held = app.config
@app.get("/")
def home(): return "lights"
"""
SETTINGS = {
    "another setting": ("app.config['TIDES'] = 4", []),
    "the key made fast by a name that is put together": ("held['SECRET_' + 'KEY'] = 'x'", ["setting SECRET_KEY"]),
    "the key made otherwise": ("app.secret_key = secrets.token_hex(1)", ["setting SECRET_KEY"]),
    "the cookie by a name that is put together": (
        "held['SESSION_' + 'COOKIE_HTTPONLY'] = False",
        ["setting SESSION_COOKIE_HTTPONLY"],
    ),
}


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return yard(tmp_path_factory.mktemp("restless"), {"app.py": APP})


@pytest.mark.parametrize("name", SETTINGS)
def test_a_key_of_each_process_is_no_matter_and_one_that_a_change_gives_is(name: str, ground: Yard) -> None:
    added, expected = SETTINGS[name]
    reader = ground.using(site(sources=())).reader
    assert isinstance(reader, SandboxReader)
    tree = ground.tree({"app.py": f"{dedented(APP)}{added}\n@app.get('/tides')\ndef tides(): return 'high'\n"})
    snapshot = Snapshot("0" * 40, ground.base, tree, CLAIM, (Change("app.py", "changed", size=9),))
    panel = GuardPanel(ground.store, Declared((FEATURE,), Limits()), lambda _: Known({}), afresh=reader.afresh)
    held = [reader.holdings(one)[1] for one in (ground.base, tree)]
    found = panel.objections(ground.ready(), snapshot, *held)
    assert [one.subject for one in found if one.code == "rewired"] == expected


def wired(**settings: str) -> Holdings:
    return Holdings(BASE.registries, BASE.rules, wiring={f"setting {name}": value for name, value in settings.items()})


def test_nothing_is_read_again_where_no_setting_differs() -> None:
    def never(_: str) -> Holdings:
        raise AssertionError

    snapshot = Snapshot("0" * 40, "base", "now", CLAIM, ())
    assert restless(never, snapshot, wired(A="a"), wired(A="a", B="b")) == (wired(A="a"), frozenset())


def test_a_value_of_the_day_is_compared_with_base_as_it_is_today() -> None:
    snapshot = Snapshot("0" * 40, "base", "now", CLAIM, ())
    assert restless(lambda _: wired(DAY="2"), snapshot, wired(DAY="1"), wired(DAY="2")) == (wired(DAY="2"), frozenset())


def test_what_cannot_be_read_twice_has_nothing_that_varies() -> None:
    def broken(_: str) -> Holdings:
        raise SiteBroken("the database is locked")

    snapshot = Snapshot("0" * 40, "base", "now", CLAIM, ())
    assert restless(broken, snapshot, wired(A="a"), wired(A="b")) == (wired(A="a"), frozenset())
