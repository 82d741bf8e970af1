"""Where there is no sandbox, or it does not hold, nothing is run, nobody is asked and nothing is pushed."""

from __future__ import annotations

import pytest

import bot.sandbox
from bot.sandbox.preflight import EXPECTED
from tests.endings.conftest import Stager


@pytest.mark.parametrize("why", ["is not installed", "does not hold: files is 512"])
def test_a_cycle_without_walls_ends_before_anything_is_run(
    why: str, staged: Stager, monkeypatch: pytest.MonkeyPatch
) -> None:
    if why == "is not installed":
        monkeypatch.setattr(bot.sandbox, "SYSTEM", "/nowhere/bwrap")
        monkeypatch.setattr(bot.sandbox, "find_spec", lambda _: None)
    else:
        monkeypatch.setitem(EXPECTED, "files", "a limit that it does not have")
    here = staged()
    with here.unmoved():
        report = here.fire("committed")
    assert (report["outcome"], report["exit_code"], report["stopped_by"]) == ("failed", 78, "NoSandbox")
    assert report["path"] == ["precheck"] and report["model_calls"] == 0
    assert why in str(report["reason"])
