"""The recording's file: what is written is read back, and damage is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.agents.recording import Exchange, Recorded, Recording, load
from bot.agents.visits import Visit
from bot.errors import ConfigError, ScriptError
from tests.support.full_disk import files_of_at_most


def exchange(seq: int = 1, body: str = "data: {}\n\n", node: str = "build") -> Exchange:
    return Exchange(node, 1, seq, "2026-11-30T04:00:00+00:00", {"model": "m"}, 200, {"request-id": "r"}, body)


def recorded(path: Path, *exchanges: Exchange) -> Recording:
    recording = Recording(path / "r.jsonl")
    recording.begin({"cycle": "c1", "ready": {"base": "b"}})
    for one in exchanges:
        recording.write(one)
    return recording


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    path = recorded(tmp_path, exchange(1), exchange(2, "two")).path
    found = load(path)
    assert found.header == {"plusone": 1, "cycle": "c1", "ready": {"base": "b"}}
    assert found.exchanges == (exchange(1), exchange(2, "two"))
    assert not found.torn
    assert path.stat().st_mode & 0o777 == 0o600


def test_an_exchange_is_found_by_its_place(tmp_path: Path) -> None:
    found = load(recorded(tmp_path, exchange(1), exchange(2)).path)
    assert found.find(Visit("build", 1), 2) == exchange(2)
    assert found.find(Visit("build", 2), 1) is None
    assert found.find(Visit("fix", 1), 1) is None


@given(body=st.text(st.characters(codec="utf-8")))
def test_any_body_stays_one_line_and_comes_back(tmp_path_factory: pytest.TempPathFactory, body: str) -> None:
    path = recorded(tmp_path_factory.mktemp("r"), exchange(1, body)).path
    assert path.read_bytes().count(b"\n") == 2
    assert load(path).exchanges == (exchange(1, body),)


def test_a_torn_last_line_is_left_out_and_told(tmp_path: Path) -> None:
    path = recorded(tmp_path, exchange(1), exchange(2)).path
    path.write_bytes(path.read_bytes()[:-10])
    assert load(path).exchanges == (exchange(1),)
    assert load(path).torn


@pytest.mark.parametrize("cut", [1, 10, 100])
def test_a_torn_recording_is_continued_after_its_last_whole_line(tmp_path: Path, cut: int) -> None:
    recording = recorded(tmp_path, exchange(1), exchange(2))
    recording.path.write_bytes(recording.path.read_bytes()[:-cut])
    assert recording.resume().exchanges == (exchange(1),)
    recording.write(exchange(2, "again"))
    assert load(recording.path) == Recorded(load(recording.path).header, (exchange(1), exchange(2, "again")))


def test_what_a_full_disk_cut_short_spoils_nothing_that_is_written_after_it(tmp_path: Path) -> None:
    recording = recorded(tmp_path, exchange(1))
    size = recording.path.stat().st_size
    with files_of_at_most(size + 100), pytest.raises(ConfigError, match="cannot write the recording"):
        recording.write(exchange(2, "x" * 9000))
    assert recording.path.stat().st_size > size
    recording.finish({"outcome": "failed"})
    found = load(recording.path)
    assert (found.exchanges, found.torn, found.end) == ((exchange(1),), False, {"outcome": "failed"})


def test_a_whole_recording_is_continued_as_it_is(tmp_path: Path) -> None:
    recording = recorded(tmp_path, exchange(1))
    before = recording.path.read_bytes()
    assert recording.resume().exchanges == (exchange(1),)
    assert recording.path.read_bytes() == before


def test_a_recording_is_never_begun_twice(tmp_path: Path) -> None:
    recording = recorded(tmp_path)
    with pytest.raises(ConfigError, match="cannot begin"):
        recording.begin({})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{oops", ":3: Invalid JSON"),
        ("[]", ":3: "),
        (json.dumps({"node": "build"}), ":3: visit: Field required"),
        ("", ":3: Invalid JSON"),
    ],
)
def test_a_damaged_line_is_named_with_its_number(tmp_path: Path, line: str, said: str) -> None:
    path = recorded(tmp_path, exchange(1)).path
    path.write_text(path.read_text() + line + "\n" + path.read_text().splitlines()[1] + "\n")
    with pytest.raises(ScriptError) as caught:
        load(path)
    assert f"{path}{said}" in str(caught.value)


def test_a_wrong_type_is_named_with_its_field(tmp_path: Path) -> None:
    path = recorded(tmp_path, exchange(1)).path
    path.write_text(path.read_text().replace('"seq": 1', '"seq": "1"'))
    with pytest.raises(ScriptError, match=r"r.jsonl:2: seq: "):
        load(path)


def test_a_field_that_nobody_knows_is_named_for_it_may_be_a_damaged_one(tmp_path: Path) -> None:
    path = recorded(tmp_path, exchange(1)).path
    path.write_text(path.read_text().replace('"error": null', '"errer": "cut"'))
    with pytest.raises(ScriptError, match=r"r.jsonl:2: errer: "):
        load(path)


@pytest.mark.parametrize("header", ["", "{}", "[]", "no", '{"plusone": 2}', "[" * 3000])
def test_a_file_without_our_header_is_no_recording(tmp_path: Path, header: str) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(header + "\n")
    with pytest.raises(ScriptError, match=r"r\.jsonl:1: "):
        load(path)


def test_an_empty_or_missing_file_is_no_recording(tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("")
    with pytest.raises(ScriptError, match="no header line"):
        load(tmp_path / "empty")
    with pytest.raises(ScriptError, match="cannot be read: No such file"):
        load(tmp_path / "missing")


def test_the_same_place_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="recorded twice"):
        load(recorded(tmp_path, exchange(1), exchange(1)).path)
