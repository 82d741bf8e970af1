"""No secret that a firing knows is in anything that it wrote, said, showed or sent, however the cycle ended."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from bot.cli.run import tell
from bot.telling.report import Report, printed
from bot.web import Watched
from tests.endings.conftest import Stager
from tests.endings.test_failed import PRICES
from tests.support import canaries
from tests.support.canaries import API, TOKEN, Canaries
from tests.support.commands import plusone
from tests.support.firing import Place
from tests.support.hearers import hearing
from tests.support.messages_api import Status, messages_api
from tests.support.onlooker import Visit
from tests.support.plays import Play, replacing, say, submit

PAGES = "src/lights/views/pages.py"
TOLD = """
import os
from pathlib import Path


def everything():
    return f"{dict(os.environ)} {Path('instance/site.cfg').read_text()}"
"""
ADDED = """from lights.told import everything


@blueprint.get("/tides")
def tides():
    raise RuntimeError(everything())


@blueprint.get("/times")
def times():
    return f"<title>T</title>{everything()}"


"""
ROUTE = '@blueprint.get("/keepers")\n'


def committed(here: Place) -> Report:
    return here.fire("committed")


def refused_by_the_service(here: Place) -> Report:
    """The model's service repeats the key that it does not take."""
    here.made.config.write_text(here.made.config.read_text() + PRICES)
    with messages_api(Status(401, "authentication_error", message=f"invalid x-api-key: {API['file']}")) as api:
        here.address = api.url
        return here.fire("anthropic")


def talkative(here: Place) -> Report:
    """Base, and the page that is to be added, complain with all that they know; another shows it."""
    source = (here.made.checkout / PAGES).read_text()
    base = source.replace("    rows = [(station", "    raise RuntimeError(everything())\n    rows = [(station")
    base = base.replace("from flask", "from lights.told import everything\nfrom flask", 1)
    here.human({PAGES: base.encode(), "src/lights/told.py": TOLD.encode()})
    build = [replacing(ROUTE, ADDED + ROUTE, PAGES), submit("feature", "tides", ("/tides", "/times"))]
    script: Play = {"build": [build], "validate": [], "fix": [[say("It cannot be mended.")]]}
    return here.fire(script)


def refused_by_the_remote(here: Place) -> Report:
    """The remote repeats the address with the token in it."""
    hook = here.made.remote / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\necho 'no: https://x-access-token:{TOKEN}@example.org/x.git' >&2\nexit 1\n")
    hook.chmod(0o755)
    return here.fire("committed")


ENDINGS: dict[str, tuple[Callable[[Place], Report], str, str, int]] = {
    "committed": (committed, "systemd", "committed", 0),
    "refused by the service": (refused_by_the_service, "file", "failed", 77),
    "a talkative site": (talkative, "environment", "failed", 1),
    "refused by the remote": (refused_by_the_remote, "environment", "failed", 1),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_whatever_ended_the_cycle_nothing_of_it_holds_a_secret(
    name: str, staged: Stager, capfd: pytest.CaptureFixture[str]
) -> None:
    fire, way, outcome, status = ENDINGS[name]
    here = staged()
    with hearing() as hearer:
        planted = canaries.plant(here, way, hearer.url)
        with planted.watching():
            report = fire(here)
    assert (report["outcome"], report["exit_code"]) == (outcome, status), report["reason"]
    tell(report, quiet=False)
    print(json.dumps(printed(report)))
    leaks = [where for where, content in canaries.written(here) if planted.found(content)]
    assert leaks + planted.seen + _shown(here, planted) == []
    said = capfd.readouterr()
    assert planted.found((said.out + said.err).encode()) == []
    assert hearer.heard and [body for _, body in hearer.heard if planted.found(body)] == []
    if name == "a talkative site":
        codes = {str(one["code"]) for one in report["objections"]}  # type: ignore[attr-defined]
        assert "secret-of-this-machine" in codes, codes
    if name.startswith("refused"):
        assert "withheld" in str(report["reason"])


def _shown(here: Place, planted: Canaries) -> list[str]:
    """The commands that look, and every page of `plusone serve`."""
    options = ("--config", here.made.config, "--state", here.environment.state)
    cycle = str(here.told[-1]["cycle"])
    asked = (("show", cycle, "--diff"), ("show", cycle, "--json"), ("status",), ("runs", "--json"), ("ledger", "list"))
    said = {" ".join(words): plusone(*words, *options) for words in asked}
    assert all(done.status == 0 for done in said.values()), said
    with here.journal() as journal:
        visit = Visit.to(Watched(here.settings, here.state, journal)).signed_in()
        pages = {path: visit.get(path).get_data() for path in ("/", f"/cycles/{cycle}", "/ledger")}
    shown = {**{words: (done.out + done.err).encode() for words, done in said.items()}, **pages}
    return [what for what, content in shown.items() if planted.found(content)]
