"""The real client against a service that fails in every way it can."""

from __future__ import annotations

import httpx2
import pytest

from bot.agents.answer import Answer
from bot.agents.calls import Caller
from bot.agents.client import open_client
from bot.errors import (
    BudgetSpent,
    ConfigError,
    CredentialsRefused,
    Overloaded,
    PlusoneError,
    ScriptError,
    Unreachable,
)
from tests.support.agents import caller_to
from tests.support.messages_api import FakeApi, HangUp, NoWait, Status, Turn, messages_api, text, use

REQUEST = {"model": "m", "max_tokens": 100, "messages": [{"role": "user", "content": "hello"}]}
GOOD = Turn([text("all is well")])


def ask(api: FakeApi, clock: NoWait | None = None, seconds: float = float("inf")) -> Answer:
    with caller_to(api, clock or NoWait(), seconds) as caller:
        return caller.ask(REQUEST)


def test_a_streamed_answer_with_text_and_tools_is_put_together() -> None:
    with messages_api(Turn([text("let me look"), use("bash", {"command": "ls -l"})])) as api:
        answer = ask(api)
    assert (answer.text, answer.stop) == ("let me look", "tool_use")
    assert answer.uses == ({"type": "tool_use", "id": "toolu_1", "name": "bash", "input": {"command": "ls -l"}},)


def test_a_request_streams_and_holds_no_thread_and_no_temperature() -> None:
    with messages_api(GOOD) as api:
        ask(api)
    assert api.bodies[0]["stream"] is True
    assert not {"thread", "temperature", "betas"} & api.bodies[0].keys()


@pytest.mark.parametrize(
    "failure",
    [
        Status(429, "rate_limit_error"),
        Status(529, "overloaded_error"),
        Status(500),
        Status(503),
        Status(408),
        Status(409),
        HangUp(),
        Turn([text("a long answer")], cut_after=4),
        Turn([text("a long answer")], cut_after=4, polite_cut=True),
        Turn([text("so")], error_event="overloaded_error"),
    ],
    ids=str,
)
def test_a_passing_failure_is_tried_again(failure: Status | HangUp | Turn) -> None:
    clock = NoWait()
    with messages_api(failure, failure, GOOD) as api:
        assert ask(api, clock).text == "all is well"
    assert clock.slept == [1.0, 2.0]
    assert len(api.bodies) == 3


@pytest.mark.parametrize(
    ("headers", "pause"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": "90"}, 90.0),
        ({"retry-after": "Wed, 21 Oct 2026 07:28:00 GMT"}, 1.0),
    ],
)
def test_the_pause_is_the_one_that_the_service_asks_for(headers: dict[str, str], pause: float) -> None:
    clock = NoWait()
    with messages_api(Status(429, "rate_limit_error", headers), GOOD) as api:
        ask(api, clock)
    assert clock.slept == [pause]


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (Status(429, "rate_limit_error"), Overloaded),
        (Status(529, "overloaded_error"), Overloaded),
        (Turn([], error_event="overloaded_error"), Overloaded),
        (Turn([], error_event="rate_limit_error"), Overloaded),
        (Turn([], error_event="api_error"), Unreachable),
        (Status(503), Unreachable),
        (HangUp(), Unreachable),
        (Turn([text("cut")], cut_after=3), Unreachable),
    ],
    ids=str,
)
def test_a_lasting_failure_ends_after_five_attempts(failure: Status | HangUp | Turn, error: type[PlusoneError]) -> None:
    with messages_api(*[failure] * 6) as api, pytest.raises(error):
        ask(api)
    assert len(api.bodies) == 5


@pytest.mark.parametrize(
    ("failure", "error"),
    [
        (Status(401, "authentication_error"), CredentialsRefused),
        (Status(403, "permission_error"), CredentialsRefused),
        (Status(404, "not_found_error", message="model: m"), ConfigError),
        (Status(400, "invalid_request_error"), ConfigError),
        (Turn([], error_event="authentication_error"), CredentialsRefused),
        (Status(429, "rate_limit_error", {"x-should-retry": "false"}), Overloaded),
        (Status(429, "rate_limit_error", {"retry-after": "9999"}), Overloaded),
        (Status(529, "overloaded_error", {"retry-after": "inf"}), Overloaded),
    ],
    ids=str,
)
def test_a_failure_that_will_not_pass_is_not_tried_again(failure: Status | Turn, error: type[PlusoneError]) -> None:
    with messages_api(failure, GOOD) as api, pytest.raises(error):
        ask(api)
    assert len(api.bodies) == 1


def test_the_error_names_what_the_service_said_on_one_harmless_line() -> None:
    said = Status(404, "not_found_error", message="no model\n\x1b[31mm")
    with messages_api(said) as api, pytest.raises(ConfigError, match=r"404 not_found_error no model \\x1b\[31mm"):
        ask(api)


def test_a_pause_that_outlasts_the_cycle_is_not_begun() -> None:
    clock = NoWait()
    with messages_api(Status(529, "overloaded_error", {"retry-after": "30"}), GOOD) as api, pytest.raises(Overloaded):
        ask(api, clock, seconds=20)
    assert clock.slept == []


def test_no_request_is_sent_when_the_time_is_up() -> None:
    with messages_api(GOOD) as api, pytest.raises(BudgetSpent) as caught:
        ask(api, seconds=0)
    assert caught.value.stopped_by == "minutes"
    assert api.bodies == []


def test_a_stream_that_outlasts_the_cycle_is_left() -> None:
    left = iter([5.0, 5.0, 5.0, 0.0])
    with messages_api(GOOD) as api, httpx2.HTTPTransport() as wire, pytest.raises(BudgetSpent):
        Caller(lambda: open_client("k", wire, api.url), NoWait(), lambda: next(left)).ask(REQUEST)


@pytest.mark.parametrize("error", [ScriptError("no more calls"), BudgetSpent("usd", "spent")], ids=str)
def test_an_error_of_our_own_transport_surfaces_as_itself(error: PlusoneError) -> None:
    def refuse(_: httpx2.Request) -> httpx2.Response:
        raise error

    clock = NoWait()
    wire = httpx2.MockTransport(refuse)
    with pytest.raises(type(error)) as caught:
        Caller(lambda: open_client("k", wire), clock).ask(REQUEST)
    assert caught.value is error
    assert clock.slept == []


def test_nobody_listening_is_unreachable() -> None:
    api = FakeApi([], url="http://127.0.0.1:9")
    with pytest.raises(Unreachable, match="ConnectError"):
        ask(api)


def test_a_garbled_stream_is_tried_again() -> None:
    answers = iter([b"event: message_start\ndata: {oops\n\n", b""])

    def garble(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=next(answers))

    clock = NoWait()
    with pytest.raises(Unreachable, match="ended before"):
        Caller(lambda: open_client("k", httpx2.MockTransport(garble)), clock, attempts=2).ask(REQUEST)
    assert clock.slept == [1.0]


def test_tool_input_that_is_no_json_is_an_empty_input() -> None:
    with messages_api(Turn([{**use("bash", {}), "input": '{"command": '}])) as api:
        assert ask(api).uses[0]["input"] == {}
