"""Recording over real HTTP, and replaying the same."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2
import pytest

from bot.agents.drift import Drift
from bot.agents.recording import Recorded, load
from bot.agents.transports import ReplayTransport
from bot.agents.visits import Visit, Visits
from bot.errors import BudgetSpent, Overloaded, ScriptError
from bot.model import Claim, Tokens
from tests.support.agents import Bench, bench
from tests.support.messages_api import HangUp, Status, Tally, Turn, messages_api, text, use

LOOK = Turn([text("hm"), use("bash", {"command": "echo hello"})])
SUBMIT = Turn([use("submit", {"kind": "article", "key": "fog", "summary": "Add fog"})])
CUT = Turn([text("a long story")], cut_after=4)
CLAIM = Claim("article", "fog", "Add fog")


def record(folder: Path, *turns: Turn | Status | HangUp, meter: Tally | None = None) -> Bench:
    """One recorded build."""
    with messages_api(*turns) as api:
        at = bench(folder, api=api, meter=meter)
        assert at.agent.build("system", "task", at.work).claim == CLAIM
    return at


def replay(folder: Path, recorded: Recorded, drifts: list[Drift]) -> Bench:
    folder.mkdir()
    return bench(folder, lambda visits: ReplayTransport(recorded, visits, drifts.append))


def test_every_exchange_is_recorded_in_full_and_without_the_key(tmp_path: Path) -> None:
    at = record(tmp_path, LOOK, SUBMIT)
    first, second = load(at.recording.path).exchanges
    assert (first.node, first.visit, first.seq, second.seq) == ("build", 1, 1, 2)
    assert first.status == 200 and first.error is None
    assert first.headers == {"content-type": "text/event-stream", "request-id": "req_1"}
    assert first.body.startswith("event: message_start") and "message_stop" in first.body
    assert first.request["model"] == "claude-sonnet-5-5"
    assert first.at == "2026-11-30T04:00:00+00:00"
    assert "sk-secret" not in at.recording.path.read_text()
    assert "uthorization" not in at.recording.path.read_text()


def test_failed_attempts_are_recorded_each_with_what_is_known(tmp_path: Path) -> None:
    at = record(tmp_path, Status(429, "rate_limit_error", {"retry-after": "3"}), HangUp(), CUT, SUBMIT)
    limited, hung, cut, good = load(at.recording.path).exchanges
    assert (limited.status, limited.headers["retry-after"], limited.error) == (429, "3", None)
    assert hung.status is None and hung.error is not None and "RemoteProtocolError" in hung.error
    assert cut.status == 200 and cut.error is not None and "a lo" in cut.body
    assert good.seq == 4 and good.error is None


def test_the_worst_is_reserved_and_what_was_used_replaces_it(tmp_path: Path) -> None:
    refused = Status(529, "overloaded_error")
    meter = record(tmp_path, refused, HangUp(), CUT, SUBMIT).meter
    node, visit, model, worst = meter.reserved[0]
    assert (node, visit, model) == ("build", 1, "claude-sonnet-5-5")
    assert worst.output == 16_000 and 300 < worst.input < 3000
    assert meter.settled == [
        (1, Tokens(), "failed"),
        (2, None, "failed"),
        (3, None, "failed"),
        (4, Tokens(100, 9, 7), "done"),
    ]


def test_an_error_inside_a_stream_keeps_its_reserve(tmp_path: Path) -> None:
    meter = record(tmp_path, Turn([text("x")], error_event="overloaded_error"), SUBMIT).meter
    assert meter.settled[0] == (1, None, "failed")


def test_a_refused_reserve_sends_nothing_and_records_nothing(tmp_path: Path) -> None:
    with messages_api(SUBMIT) as api:
        at = bench(tmp_path, api=api, meter=Tally(most=0))
        with pytest.raises(BudgetSpent):
            at.agent.build("s", "t", at.work)
    assert api.bodies == []
    assert load(at.recording.path).exchanges == ()


def test_a_replay_goes_the_same_way_without_drift_network_or_sleep(tmp_path: Path) -> None:
    failures = (Status(429, "rate_limit_error", {"retry-after": "50"}), HangUp(), CUT)
    recorded = load(record(tmp_path, LOOK, *failures, SUBMIT).recording.path)
    drifts: list[Drift] = []
    at = replay(tmp_path / "again", recorded, drifts)
    assert at.agent.build("system", "task", at.work).claim == CLAIM
    assert set(at.clock.slept) == {0.0}
    assert drifts == []


def test_a_replayed_failure_that_lasted_ends_alike(tmp_path: Path) -> None:
    with messages_api(*[Status(529, "overloaded_error")] * 5) as api:
        at = bench(tmp_path, api=api)
        with pytest.raises(Overloaded) as first:
            at.agent.build("s", "t", at.work)
    again = replay(tmp_path / "again", load(at.recording.path), [])
    with pytest.raises(Overloaded) as second:
        again.agent.build("s", "t", again.work)
    assert str(first.value) == str(second.value)


def test_a_drifted_request_is_reported_once_with_its_difference(tmp_path: Path) -> None:
    recorded = load(record(tmp_path, LOOK, SUBMIT).recording.path)
    drifts: list[Drift] = []
    at = replay(tmp_path / "again", recorded, drifts)
    at.agent.build("system", "another\ntask", at.work)
    [seen] = drifts
    assert (seen.visit, seen.seq) == (Visit("build", 1), 1)
    assert '-     "text": "task",' in seen.difference
    assert '+     "text": "another' in seen.difference
    assert len(seen.difference.splitlines()) < 15


def test_a_replay_that_asks_for_more_than_was_recorded_says_where(tmp_path: Path) -> None:
    path = record(tmp_path, LOOK, SUBMIT).recording.path
    path.write_bytes(path.read_bytes()[:-3])
    at = replay(tmp_path / "again", load(path), [])
    with pytest.raises(ScriptError, match="no exchange 2 of build, visit 1; its last line was cut"):
        at.agent.build("system", "task", at.work)


def test_a_resumed_cycle_is_served_what_it_has_and_pays_only_for_the_rest(tmp_path: Path) -> None:
    path = record(tmp_path, LOOK, SUBMIT).recording.path
    whole = path.read_text()
    path.write_bytes(path.read_bytes()[:-50])
    with messages_api(SUBMIT) as api:
        at = bench(tmp_path, api=api)
        at = bench(tmp_path, api=api, served=at.recording.resume())
        assert at.agent.build("system", "task", at.work).claim == CLAIM
    assert len(api.bodies) == len(at.meter.reserved) == 1
    assert [(one.seq, one.status) for one in load(path).exchanges] == [(1, 200), (2, 200)]
    assert path.read_text().splitlines()[:2] == whole.splitlines()[:2]


def test_the_line_is_on_the_disk_before_the_last_byte_is_handed_on(tmp_path: Path) -> None:
    at = bench(tmp_path, lambda _: httpx2.MockTransport(lambda _: httpx2.Response(200, content=b"data: {}\n\n")))
    at.visits.enter("build", 1)
    wire = at.agent._caller._client_for()._client
    with wire.stream("POST", "http://model/v1", json={"model": "m"}) as response:
        assert load(at.recording.path).exchanges == ()
        response.read()
    assert load(at.recording.path).exchanges[0].body == "data: {}\n\n"


def test_a_stream_that_is_left_early_is_recorded_as_cut_and_only_once(tmp_path: Path) -> None:
    at = bench(tmp_path, lambda _: httpx2.MockTransport(lambda _: httpx2.Response(200, content=b"data: {}\n\n")))
    at.visits.enter("build", 1)
    wire = at.agent._caller._client_for()._client
    with wire.stream("POST", "http://model/v1", json={"model": "m"}):
        pass
    [only] = load(at.recording.path).exchanges
    assert only.error == "closed before its end"
    assert at.meter.settled == [(1, None, "failed")]


def test_volatile_words_are_no_drift() -> None:
    from bot.agents.drift import drift

    def said(words: str, **more: object) -> dict[str, object]:
        return {"messages": [{"role": "user", "content": [{"type": "text", "text": words, **more}]}]}

    visit = Visit("build", 1)
    before = said("3 passed in 0.12s at 2026-11-30T04:00:00Z, <x 0x7f00aabbcc> in /tmp/a1/w")
    after = said("3 passed in 4.5s at 2026-12-01T05:00:00Z, <x 0x7f11223344> in /tmp/b2/w", cache_control={})
    assert drift(visit, 1, before, after) is None
    assert drift(visit, 1, before, said("2 passed in 0.12s")) is not None
    long = drift(visit, 1, said("\n".join("abcdefghijklmnopqrstuvwxyz" * 2)), said("x"))
    assert long is not None and long.difference.endswith("lines more]")


def test_visits_and_numbers_are_kept_apart(tmp_path: Path) -> None:
    with messages_api(Turn([text("a")]), Turn([text("b")]), Turn([text("c")])) as api:
        at = bench(tmp_path, api=api)
        at.agent.fix("s", "t", at.work, 1)
        at.agent.fix("s", "t", at.work, 2)
        at.agent.review("s", "t", 1)
    places = [(one.node, one.visit, one.seq) for one in load(at.recording.path).exchanges]
    assert places == [("fix", 1, 1), ("fix", 2, 1), ("validate", 1, 1)]


def test_the_model_is_asked_for_a_body_that_can_be_recorded(tmp_path: Path) -> None:
    with messages_api(SUBMIT) as api:
        at = bench(tmp_path, api=api)
        at.agent.build("s", "t", at.work)
    assert api.headers[0]["accept-encoding"] == "identity"
    assert json.loads(at.recording.path.read_text().splitlines()[1])["request"] == api.bodies[0]
    assert Visits().now() == Visit("", 0)


def test_a_resumed_replay_goes_on_where_its_own_record_ends(tmp_path: Path) -> None:
    recorded = load(record(tmp_path, LOOK, SUBMIT).recording.path)
    drifts: list[Drift] = []
    again = replay(tmp_path / "again", recorded, drifts)
    again.agent.build("system", "task", again.work)
    lines = again.recording.path.read_text().splitlines(keepends=True)
    again.recording.path.write_text("".join(lines[:2]))
    served = again.recording.resume()
    last = bench(tmp_path / "again", lambda visits: ReplayTransport(recorded, visits, drifts.append), served=served)
    assert last.agent.build("system", "task", last.work).claim == CLAIM
    assert drifts == []
    assert len(last.meter.reserved) == 1
