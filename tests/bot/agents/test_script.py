"""The script file and the transport that answers from it, through the real client."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest

from bot.agents.recording import load
from bot.agents.script import load_script
from bot.agents.scripted import ScriptTransport
from bot.errors import ScriptError
from bot.model import Claim
from tests.support.agents import Bench, bench

SAY = {"type": "text", "text": "so"}
SUBMIT = {
    "type": "tool_use",
    "name": "submit",
    "input": {"kind": "article", "key": "fog", "summary": "Fög " + "x" * 450, "routes": ["/fog"]},
}


def bash(command: str) -> dict[str, object]:
    return {"type": "tool_use", "name": "bash", "input": {"command": command}}


def write(folder: Path, script: object) -> Path:
    path = folder / "script.json"
    path.write_text(script if isinstance(script, str) else json.dumps(script))
    return path


def scripted(folder: Path, **calls: object) -> Bench:
    script = load_script(write(folder, calls))
    return bench(folder, lambda visits: ScriptTransport(script, visits))


def test_a_scripted_build_uses_its_tools_through_the_real_client(tmp_path: Path) -> None:
    at = scripted(tmp_path, build=[[[SAY, bash("echo 1 > one"), bash("cat one > two")], [SUBMIT]]])
    reply = at.agent.build("s", "t", at.work)
    assert reply.claim == Claim("article", "fog", "Fög " + "x" * 450, ("/fog",))
    assert (at.work / "two").read_text() == "1\n"
    results = json.loads(at.recording.path.read_text().splitlines()[2])["request"]["messages"][-1]["content"]
    assert len({result["tool_use_id"] for result in results}) == 2


def test_a_build_without_an_ending_is_reminded_and_reads_the_next_turn(tmp_path: Path) -> None:
    at = scripted(tmp_path, build=[[[SAY], [SUBMIT]]])
    assert at.agent.build("s", "t", at.work).claim is not None


@pytest.mark.parametrize("call", [[], [[SAY]], [[]], [[{"type": "text", "text": ""}]]])
def test_after_its_last_turn_the_model_ends_with_an_empty_text(tmp_path: Path, call: list[object]) -> None:
    at = scripted(tmp_path, build=[call])
    reply = at.agent.build("s", "t", at.work)
    assert (reply.claim, reply.declined) == (None, "")
    assert len(at.meter.reserved) == 2


def test_an_empty_turn_in_the_middle_still_counts(tmp_path: Path) -> None:
    at = scripted(tmp_path, build=[[[], [SUBMIT]]])
    assert at.agent.build("s", "t", at.work).claim is not None


def test_asking_the_reviewer_again_reads_the_next_turn_of_the_same_call(tmp_path: Path) -> None:
    first, second = {"type": "text", "text": "well"}, {"type": "text", "text": "{}"}
    at = scripted(tmp_path, validate=[[[first], [second]], [[SAY]]])
    assert at.agent.review("s", "t", 1) == "well"
    assert at.agent.review("s", "t", 1, "again") == "{}"
    assert at.agent.review("s", "t", 1, "again") == ""
    assert at.agent.review("s", "t", 2) == "so"


def test_each_visit_of_fix_reads_its_own_call(tmp_path: Path) -> None:
    at = scripted(tmp_path, fix=[[[bash("touch first")]], [[bash("touch second")], [SUBMIT], [SAY]]])
    assert at.agent.fix("s", "t", at.work, 1).claim is None
    assert at.agent.fix("s", "t", at.work, 2).claim is not None
    assert sorted(one.name for one in at.work.iterdir()) == ["first", "second"]


def test_a_visit_too_many_is_a_script_error(tmp_path: Path) -> None:
    at = scripted(tmp_path, fix=[[[SAY]]])
    at.agent.fix("s", "t", at.work, 1)
    with pytest.raises(ScriptError, match=r"visit 2 of fix, but the script has 1 call\(s\)") as caught:
        at.agent.fix("s", "t", at.work, 2)
    assert caught.value.exit_code == 78
    with pytest.raises(ScriptError, match="visit 1 of build"):
        at.agent.build("s", "t", at.work)


def test_a_resumed_visit_goes_on_at_the_turn_after_the_recorded_ones(tmp_path: Path) -> None:
    script = load_script(write(tmp_path, {"build": [[[bash("touch a")], [bash("touch b")], [SUBMIT]]]}))
    at = bench(tmp_path, lambda visits: ScriptTransport(script, visits))
    at.agent.build("s", "t", at.work)
    lines = at.recording.path.read_text().splitlines(keepends=True)
    at.recording.path.write_text("".join(lines[:2]))
    again = bench(tmp_path, lambda visits: ScriptTransport(script, visits), served=at.recording.resume())
    assert again.agent.build("s", "t", again.work).claim is not None
    assert len(again.meter.reserved) == 2
    assert len(load(again.recording.path).exchanges) == 3


def test_the_stream_has_the_shape_of_the_api_s(tmp_path: Path) -> None:
    at = scripted(tmp_path, build=[[[SAY, SUBMIT]]])
    at.agent.build("s", "t", at.work)
    body = load(at.recording.path).exchanges[0].body
    kinds = [line[7:] for line in body.splitlines() if line.startswith("event: ")]
    block = ["content_block_start", "content_block_delta", "content_block_stop"]
    longer = [block[0], block[1], block[1], block[2]]
    assert kinds == ["message_start", *block, *longer, "message_delta", "message_stop"]
    used = at.meter.settled[0][1]
    assert used is not None and used.input > 300 and used.output > 100


def test_the_same_script_uses_the_same_tokens(tmp_path: Path) -> None:
    used = []
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        at = scripted(tmp_path / name, build=[[[SAY], [SUBMIT]]])
        at.agent.build("s", "t", at.work)
        used.append(at.meter.settled)
    assert used[0] == used[1]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ('{"build": [\n  [oops]]}', ":2: not JSON"),
        ("[]", ": a script is an object"),
        ({"biuld": []}, ": unknown node 'biuld'"),
        ({"build": {}}, ": build: a list of calls"),
        ({"build": [[], {}]}, ": build, call 2: a list of turns"),
        ({"build": [[[], SAY]]}, ": build, call 1, turn 2: a list of blocks"),
        ({"build": [[["hi"]]]}, ": build, call 1, turn 1, block 1: a block is an object"),
        ({"build": [[[{"type": "image"}]]]}, "block 1: a block is an object of type"),
        ({"build": [[[{"type": ["text"]}]]]}, "block 1: a block is an object of type"),
        ({"build": [[[SAY, {"type": "text", "txt": "x"}]]]}, "block 2: key 'text' is missing"),
        ({"build": [[[{"type": "text", "text": 5}]]]}, "`text` must be a text"),
        ({"build": [[[{**SUBMIT, "id": "1"}]]]}, "key 'id' is unknown"),
        ({"build": [[[{**SUBMIT, "name": "browser"}]]]}, "unknown tool 'browser'"),
        ({"build": [[[{**SUBMIT, "input": []}]]]}, "`input` must be an object"),
        ({"validate": [[[SUBMIT]]]}, "the reviewer has no tools"),
        ('{"build": [], "build": []}', "'build' stands twice"),
        ("[" * 100_000, "not a script"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_malformed_script_is_refused_whole_with_its_place(tmp_path: Path, script: object, said: str) -> None:
    path = write(tmp_path, script)
    with pytest.raises(ScriptError) as caught:
        load_script(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_or_undecodable_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be read"):
        load_script(tmp_path / "none.json")
    (tmp_path / "bad.json").write_bytes(b"\xff\xfe")
    with pytest.raises(ScriptError, match=r"bad\.json: not a script"):
        load_script(tmp_path / "bad.json")


def test_a_script_answers_without_any_network(tmp_path: Path) -> None:
    visits_wire = scripted(tmp_path, validate=[[[SAY]]])
    assert isinstance(visits_wire.agent.review("s", "t", 1), str)
    assert issubclass(ScriptTransport, httpx2.BaseTransport)
