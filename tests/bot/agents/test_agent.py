"""Whole visits of the model's agent, over the real client and real HTTP."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bot.agents.agent import CUT, REFUSED, REMINDER
from bot.errors import BudgetSpent, ModelFailed
from bot.model import Claim
from bot.ports import Agent
from tests.support.agents import bench
from tests.support.messages_api import Status, Tally, Turn, messages_api, text, use

CLAIM = {"kind": "article", "key": "fog", "summary": "Add an article about fog"}
SUBMIT = Turn([use("submit", CLAIM)])
LOOK = Turn(
    [text("I look around"), use("bash", {"command": "echo here; pwd"}, 1), use("bash", {"command": "exit 3"}, 2)]
)


def results(body: dict[str, object]) -> list[dict[str, object]]:
    messages = body["messages"]
    assert isinstance(messages, list)
    return [block for block in messages[-1]["content"] if block["type"] == "tool_result"]


def test_a_build_works_with_its_tools_and_hands_in(tmp_path: Path) -> None:
    create = use(
        "str_replace_based_edit_tool", {"command": "create", "path": "/w/content/fog.md", "file_text": "Fog.\n"}, 3
    )
    with messages_api(LOOK, Turn([create]), SUBMIT) as api:
        at = bench(tmp_path, api=api)
        agent: Agent = at.agent
        reply = agent.build("be good", "add one", at.work)
    assert reply.claim == Claim("article", "fog", "Add an article about fog")
    assert (at.work / "content" / "fog.md").read_text() == "Fog.\n"
    first, second = results(api.bodies[1])
    assert first["content"] == f"here\n{at.work}"
    assert second["content"] == "[exit status 3]"


def test_every_request_of_a_visit_repeats_the_same_system_and_tools_and_marks_the_cache(tmp_path: Path) -> None:
    with messages_api(LOOK, LOOK, SUBMIT) as api:
        at = bench(tmp_path, api=api)
        at.agent.build("be good", "add one", at.work)
    first, *others = api.bodies
    assert [tool["name"] for tool in first["tools"]] == ["bash", "str_replace_based_edit_tool", "submit", "decline"]
    assert all(body["tools"] == first["tools"] and body["system"] == first["system"] for body in others)
    for body in api.bodies:
        marks = [block for message in body["messages"] for block in message["content"] if "cache_control" in block]
        assert marks == [body["messages"][-1]["content"][-1]]
        assert body["system"][0]["cache_control"] == {"type": "ephemeral"}
        assert body["context_management"]["edits"][0]["type"] == "clear_tool_uses_20250919"
    assert "context-management" in api.headers[0]["anthropic-beta"]


def test_a_build_that_ends_without_either_is_reminded_once(tmp_path: Path) -> None:
    with messages_api(Turn([text("done")]), Turn([text("really")])) as api:
        at = bench(tmp_path, api=api)
        reply = at.agent.build("s", "t", at.work)
    assert (reply.claim, reply.declined) == (None, "")
    assert api.bodies[1]["messages"][-1]["content"][0]["text"] == REMINDER


def test_a_build_that_was_reminded_may_still_hand_in(tmp_path: Path) -> None:
    with messages_api(Turn([]), SUBMIT) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.build("s", "t", at.work).claim is not None
    assert [message["role"] for message in api.bodies[1]["messages"]] == ["user", "assistant", "user"]


def test_declining_ends_the_build_and_what_comes_after_it_is_not_run(tmp_path: Path) -> None:
    turn = Turn([use("decline", {"reason": "nothing good"}, 1), use("bash", {"command": "touch late"}, 2)])
    with messages_api(turn) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.build("s", "t", at.work).declined == "nothing good"
    assert not (at.work / "late").exists()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (use("bash", {}), "`command` is missing"),
        (use("bash", {"command": 7}), "`command` is missing"),
        (use("submit", {"kind": "article"}), "`key` is missing"),
        (use("submit", {**CLAIM, "rating": 5}), "unknown field 'rating'"),
        (use("submit", {**CLAIM, "routes": "/fog"}), "`routes` must be a list"),
        (use("submit", {**CLAIM, "summary": "x" * 501}), "501 characters"),
        (use("decline", {"reason": " "}), "`reason` is missing"),
        (use("bash", {"command": "printf 'a\0b'"}), "`command` holds a NUL character"),
        (use("str_replace_based_edit_tool", {"command": "undo_edit", "path": "/w/a"}), "unknown command"),
        (use("str_replace_based_edit_tool", {"command": "view", "path": "/etc/passwd"}), "outside the workspace"),
        (use("browser", {"url": "x"}), "there is no tool 'browser'"),
    ],
    ids=str,
)
def test_bad_tool_input_is_an_error_result_and_the_visit_goes_on(
    tmp_path: Path, call: dict[str, object], said: str
) -> None:
    with messages_api(Turn([call]), SUBMIT) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.build("s", "t", at.work).claim is not None
    [result] = results(api.bodies[1])
    assert result["is_error"] is True
    assert said in str(result["content"])


@pytest.mark.parametrize("depth", [21, 600, 5000])
def test_an_input_that_nests_without_end_is_an_error_result_and_the_visit_goes_on(tmp_path: Path, depth: int) -> None:
    nested = f'{{"command": {"[" * depth}{"]" * depth}}}'
    with messages_api(Turn([use("bash", nested)]), SUBMIT) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.build("s", "t", at.work).claim is not None
    (found,) = results(api.bodies[1])
    assert (found["content"], found["is_error"]) == ("`command` is missing: give a text", True)


def test_half_a_character_of_the_model_reaches_no_command_no_claim_and_no_request(tmp_path: Path) -> None:
    look = Turn([text("I \ud800 look"), use("bash", {"command": "echo '\ud83d\ude00 \ud800'"})])
    claim = Turn([use("submit", {**CLAIM, "summary": "Add \udc80 fog"})])
    with messages_api(look, claim) as api:
        at = bench(tmp_path, api=api)
        reply = at.agent.build("s", "t", at.work)
    assert reply.claim == Claim("article", "fog", "Add \ufffd fog")
    assert [one["content"] for one in results(api.bodies[1])] == ["\U0001f600 \ufffd"]


def test_a_refusal_declines_a_build_ends_a_fix_and_is_no_review(tmp_path: Path) -> None:
    refusal = Turn([text("no"), use("submit", CLAIM)], stop="refusal")
    with messages_api(refusal, refusal, refusal) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.build("s", "t", at.work).declined == REFUSED
        assert at.agent.fix("s", "t", at.work, 1).claim is None
        assert at.agent.review("s", "t", 1) == REFUSED


def test_an_answer_cut_at_its_length_is_continued_once_without_its_calls(tmp_path: Path) -> None:
    cut = Turn([text("a long"), use("bash", {"command": "touch cut"})], stop="max_tokens")
    with messages_api(cut, SUBMIT) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.build("s", "t", at.work).claim is not None
    assert api.bodies[1]["messages"][1]["content"] == [{"type": "text", "text": "a long"}]
    assert api.bodies[1]["messages"][2]["content"][0]["text"] == CUT
    assert not (at.work / "cut").exists()


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        ([Turn([], stop="max_tokens")] * 2, "cut off at the length limit twice"),
        ([Turn([], stop="model_context_window_exceeded")], "outgrew"),
        ([Turn([], stop="tool_use")], "made none"),
        ([Turn([], stop="daydream")], "unknown reason: 'daydream'"),
    ],
    ids=str,
)
def test_an_answer_that_cannot_be_finished_fails_and_says_why(tmp_path: Path, turns: list[Turn], said: str) -> None:
    with messages_api(*turns) as api:
        at = bench(tmp_path, api=api)
        with pytest.raises(ModelFailed, match=said):
            at.agent.build("s", "t", at.work)


def test_a_paused_turn_is_continued_and_a_stop_sequence_ends_one(tmp_path: Path) -> None:
    with messages_api(Turn([text("thinking")], stop="pause_turn"), Turn([text("x")], stop="stop_sequence")) as api:
        at = bench(tmp_path, api=api)
        at.agent.fix("s", "t", at.work, 1)
    assert api.bodies[1]["messages"][-1] == {"role": "assistant", "content": [{"type": "text", "text": "thinking"}]}


def test_a_fix_ends_with_its_turn_and_returns_its_last_submit(tmp_path: Path) -> None:
    other = Turn([use("submit", {**CLAIM, "kind": "other", "summary": "second"})])
    decline = Turn([use("decline", {"reason": "no"})])
    with messages_api(SUBMIT, other, decline, Turn([text("mended")])) as api:
        at = bench(tmp_path, api=api)
        reply = at.agent.fix("s", "t", at.work, 2)
    assert reply.claim == Claim("other", "fog", "second")
    assert results(api.bodies[3])[0]["is_error"] is True
    assert {node for node, *_ in at.meter.reserved} == {"fix"} and at.meter.reserved[0][1] == 2


def test_a_fix_that_hands_in_nothing_claims_nothing(tmp_path: Path) -> None:
    with messages_api(Turn([text("mended")])) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.fix("s", "t", at.work, 1).claim is None
    assert len(api.bodies) == 1


def test_asking_the_reviewer_again_goes_on_in_the_same_conversation(tmp_path: Path) -> None:
    with messages_api(Turn([text("well...")]), Turn([text("{}")])) as api:
        at = bench(tmp_path, api=api)
        assert at.agent.review("judge", "this", 1) == "well..."
        assert at.agent.review("judge", "this", 1, "as JSON, please") == "{}"
    said = [message["content"][0]["text"] for message in api.bodies[1]["messages"]]
    assert said == ["this", "well...", "as JSON, please"]
    assert "tools" not in api.bodies[0]
    assert api.bodies[0]["output_config"]["format"]["schema"]["required"] == ["verdict", "reasons"]
    assert api.bodies[0]["model"] == "claude-opus-5-5"


def test_another_visit_of_the_reviewer_is_another_conversation(tmp_path: Path) -> None:
    with messages_api(Turn([text("a")]), Turn([text("b")])) as api:
        at = bench(tmp_path, api=api)
        at.agent.review("s", "first", 1)
        at.agent.review("s", "second", 2)
    assert [len(body["messages"]) for body in api.bodies] == [1, 1]


def test_a_spent_budget_stops_the_visit_before_the_request(tmp_path: Path) -> None:
    with messages_api(LOOK, SUBMIT) as api:
        at = bench(tmp_path, api=api, meter=Tally(most=1))
        with pytest.raises(BudgetSpent):
            at.agent.build("s", "t", at.work)
    assert len(api.bodies) == 1


def test_each_failing_attempt_is_a_call_of_its_own(tmp_path: Path) -> None:
    with messages_api(Status(529), Status(529), SUBMIT) as api:
        at = bench(tmp_path, api=api)
        at.agent.build("s", "t", at.work)
    assert len(at.meter.reserved) == 3
    assert [status for _, _, status in at.meter.settled] == ["failed", "failed", "done"]


def test_web_search_is_offered_last_and_only_when_asked_for() -> None:
    from bot.agents.tools import offered

    assert offered(True)[:-1] == offered()
    assert offered(True)[-1]["name"] == "web_search"


def test_importing_the_agents_does_not_import_the_sdk() -> None:
    modules = "agent, calls, client, hands, recording, review, script, scripted, transports, visits"
    program = f"import sys; from bot.agents import {modules}; import bot.budget.prices, bot.agents.prompts"
    program += "; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"anthropic", "genai_prices"} & set(done.stdout.split())
