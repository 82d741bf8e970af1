from __future__ import annotations

import threading
import time
import uuid
from pathlib import Path

import pytest

from bot.errors import NoSandbox, SiteBroken
from bot.model import Bounds, Job
from bot.sandbox import Box
from bot.sandbox.watch import is_kin
from tests.support import jail

ECHO = """
import os, struct, sys, time
def exactly(count):
    got = b''
    while len(got) < count:
        piece = os.read(0, count - len(got))
        if not piece:
            sys.exit()
        got += piece
    return got
while True:
    frame = exactly(struct.unpack('>I', exactly(4))[0])
    if frame == b'die':
        sys.exit('it hurts')
    if frame == b'sleep':
        time.sleep(60)
    if frame == b'huge':
        os.write(1, struct.pack('>I', 16 * 2**20 + 1))
    if frame == b'grow':
        held = b'x' * 200 * 2**20
    if frame == b'chatter':
        os.write(2, b'z' * 300_000 + b'the end')
    sys.stdout.buffer.write(struct.pack('>I', len(frame)) + frame)
    sys.stdout.buffer.flush()
"""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory: pytest.TempPathFactory) -> Box:
    return jail.box(tmp_path_factory.mktemp("scratch"))


@pytest.fixture
def work(sandbox: Box, tmp_path: Path) -> Path:
    return jail.folder(sandbox, tmp_path / "work")


def echo(work: Path, token: str = "", **bounds: float) -> Job:
    limits = Bounds(seconds=bounds.get("seconds", 30), memory=int(bounds.get("memory", 2 * 1024**3)))
    return jail.python(ECHO, work, token, bounds=limits, profile="served")


@pytest.mark.parametrize("frame", [b"", b"hello", b"\0\xff" * 4_000_000], ids=["empty", "short", "eight megabytes"])
def test_a_frame_comes_back_as_it_went(sandbox: Box, work: Path, frame: bytes) -> None:
    with sandbox.session(echo(work)) as talk:
        for _ in range(2):
            talk.send(frame)
            assert talk.receive(20) == frame


def test_an_answer_that_does_not_come_in_time_is_the_sites_failure(sandbox: Box, work: Path) -> None:
    with sandbox.session(echo(work)) as talk:
        talk.send(b"sleep")
        started = time.monotonic()
        with pytest.raises(SiteBroken, match="no answer in time"):
            talk.receive(0.3)
        assert time.monotonic() - started < 15  # not the minute that the site sleeps


def test_the_end_of_the_stream_quotes_the_sites_last_words(sandbox: Box, work: Path) -> None:
    with sandbox.session(echo(work)) as talk:
        talk.send(b"die")
        with pytest.raises(SiteBroken, match="it hurts"):
            talk.receive(10)
        with pytest.raises(SiteBroken):
            talk.send(b"anyone?")


def test_a_length_over_the_cap_is_refused_unread(sandbox: Box, work: Path) -> None:
    with sandbox.session(echo(work)) as talk:
        talk.send(b"huge")
        with pytest.raises(SiteBroken, match="16777217"):
            talk.receive(10)


def test_a_session_that_takes_too_much_memory_is_ended(sandbox: Box, work: Path) -> None:
    with sandbox.session(echo(work, memory=150 * 1024**2)) as talk:
        talk.send(b"grow")
        with pytest.raises(SiteBroken, match=r"memory|MemoryError"):
            talk.receive(10)


def test_a_session_ends_with_its_time(sandbox: Box, work: Path) -> None:
    token = uuid.uuid4().hex
    with sandbox.session(echo(work, token, seconds=0.5)) as talk:
        with pytest.raises(SiteBroken, match="its time was over"):
            talk.receive(10)
        assert not jail.alive(token)


def test_a_flood_of_complaints_blocks_nobody_and_its_end_is_kept(sandbox: Box, work: Path) -> None:
    with sandbox.session(echo(work)) as talk:
        talk.send(b"chatter")
        assert talk.receive(10) == b"chatter"
        deadline = time.monotonic() + 30
        while not talk.stderr().endswith("the end") and time.monotonic() < deadline:
            time.sleep(0.01)
        assert talk.stderr() == ("z" * 300_000 + "the end")[-8192:]


def test_nothing_is_left_after_the_block_whatever_ended_it(sandbox: Box, work: Path) -> None:
    token = uuid.uuid4().hex
    with pytest.raises(ZeroDivisionError), sandbox.session(echo(work, token)) as talk:
        talk.send(b"hello")
        talk.receive(10)
        assert jail.alive(token)
        raise ZeroDivisionError
    assert not jail.alive(token)


def test_a_session_that_could_not_begin_is_the_sandboxs_failure(sandbox: Box, work: Path) -> None:
    job = Job(("cat",), str(work), read=("/no/such/folder",))
    with sandbox.session(job) as talk, pytest.raises(NoSandbox, match="/no/such/folder"):
        talk.receive(10)


def test_a_session_outlives_the_thread_that_opened_it(sandbox: Box, work: Path) -> None:
    opened = sandbox.session(echo(work))
    talks = []
    thread = threading.Thread(target=lambda: talks.append(opened.__enter__()))
    thread.start()
    thread.join()
    time.sleep(0.3)
    talks[0].send(b"still there?")
    assert talks[0].receive(10) == b"still there?"
    opened.__exit__(None, None, None)


def test_sessions_run_side_by_side(sandbox: Box, tmp_path: Path) -> None:
    answers: dict[int, bytes] = {}

    def visit(number: int) -> None:
        work = jail.folder(sandbox, tmp_path / str(number))
        with sandbox.session(echo(work)) as talk:
            for _ in range(20):
                talk.send(b"%d" % number)
                answers[number] = talk.receive(10)

    threads = [threading.Thread(target=visit, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == {number: b"%d" % number for number in range(4)}


def test_the_first_process_of_a_sandbox_is_known_as_its_own_until_it_is_gone(sandbox: Box, work: Path) -> None:
    with sandbox.launcher(jail.python("import sys; sys.stdin.read()", work)) as running:
        deadline = time.monotonic() + 60
        while not (firsts := list(running.program.victims())) and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(firsts) == 1 and firsts[0] != running.program.pid
        running.program.end()
        assert list(running.program.victims()) == []
    assert not is_kin(1, firsts[0])
