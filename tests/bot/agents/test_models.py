"""`--model`: three forms, each checked before anything begins, each reached through a transport."""

from __future__ import annotations

from pathlib import Path

import httpx2
import pytest

from bot.agents.models import ModelChoice, choose
from bot.agents.scripted import ScriptTransport
from bot.agents.transports import ReplayTransport
from bot.agents.visits import Visits
from bot.errors import ConfigError, ScriptError

SCRIPT = '{"build": [], "validate": [], "fix": []}'


@pytest.mark.parametrize("text", ["", "script", "script:", "recording:", "anthropic:x", "other:file", "SCRIPT:a"])
def test_anything_else_is_refused_with_the_three_forms(text: str) -> None:
    with pytest.raises(ConfigError, match="write anthropic, script:FILE or recording:FILE"):
        choose(text)


def test_a_file_is_meant_from_where_the_command_is_given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert choose("script:a.json") == ModelChoice("script", tmp_path / "a.json")
    assert str(choose("recording:b:c.jsonl")) == f"recording:{tmp_path}/b:c.jsonl"
    assert str(choose("anthropic")) == "anthropic"


def test_only_the_network_costs_money() -> None:
    assert [choose(text).free for text in ("anthropic", "script:a", "recording:a")] == [False, True, True]


@pytest.mark.parametrize(("kind", "text"), [("script", "{"), ("recording", "{}\n")])
def test_a_file_that_cannot_be_followed_is_named_with_its_line(kind: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    for found in (None, text):
        if found:
            path.write_text(found)
        with pytest.raises(ScriptError, match=str(path)):
            choose(f"{kind}:{path}").check()
    choose("anthropic").check()


def test_each_form_has_its_own_transport(tmp_path: Path) -> None:
    (tmp_path / "script.json").write_text(SCRIPT)
    (tmp_path / "record.jsonl").write_text('{"plusone": 1}\n')
    found = [
        choose(text).transport(Visits(), lambda _: None)
        for text in ("anthropic", f"script:{tmp_path}/script.json", f"recording:{tmp_path}/record.jsonl")
    ]
    assert [type(one) for one in found] == [httpx2.HTTPTransport, ScriptTransport, ReplayTransport]
