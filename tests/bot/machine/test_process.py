from __future__ import annotations

import os
import threading
import time
import uuid

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.errors import CommandFailed
from bot.machine import process
from bot.machine.process import Command, Program
from tests.support import jail

SOON = 15.0  # seconds: far less than any sleep here, far more than a busy machine needs


def shell(script: str, **env: str) -> Command:
    return Command(("/bin/sh", "-c", script), env)


def test_the_environment_is_exactly_what_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUSONE_SECRET", "key")
    ran = process.run(Command(("/usr/bin/env",), {"ONE": "1"}))
    assert ran.stdout == b"ONE=1\n"


def test_status_output_and_complaints_come_back() -> None:
    ran = process.run(shell("echo out; echo err >&2; exit 3"))
    assert (ran.status, ran.stdout, ran.stderr, ran.ended) == (3, b"out\n", b"err\n", "exit")


def test_a_signal_is_a_negative_status() -> None:
    assert process.run(shell("kill -9 $$")).status == -9


def test_a_number_that_was_taken_by_another_process_is_not_killed() -> None:
    program, stranger = Program(shell("exit 0")), Program(Command(("/bin/cat",)))
    asked: list[int] = []

    def victims() -> list[int]:
        asked.append(stranger.pid)
        return [stranger.pid] if len(asked) == 1 else []  # the victim is gone by the time we have a hold on its number

    program.victims = victims
    assert program.gone(SOON) and program.end() == 0
    assert len(asked) == 2 and not stranger.gone()
    assert stranger.end() == -9
    program.close()
    stranger.close()


def test_a_victim_is_killed_and_the_number_of_a_program_that_exited_is_its_own_until_its_end() -> None:
    program, victim = Program(shell("exit 3")), Program(Command(("/bin/cat",)))
    program.victims = lambda: [victim.pid]
    assert program.gone(SOON)
    os.kill(program.pid, 0)  # nobody has reaped it
    assert program.end() == 3 and victim.gone(SOON)
    victim.end()
    with pytest.raises(ProcessLookupError):
        os.kill(program.pid, 0)
    program.close()
    victim.close()


@settings(max_examples=20, deadline=None)
@given(st.binary(max_size=300_000))
def test_input_of_any_size_comes_through_whole(text: bytes) -> None:
    assert process.run(Command(("/bin/cat",)), stdin=text).stdout == text


def test_a_program_that_does_not_read_its_input_still_ends() -> None:
    assert process.run(Command(("/bin/true",)), stdin=b"x" * 10_000_000).status == 0


def test_a_program_that_closes_its_output_is_still_waited_for() -> None:
    ran = process.run(shell("exec >&- 2>&-; sleep 0.3; exit 5"))
    assert (ran.status, ran.ended) == (5, "exit")


def test_a_program_that_ended_is_not_waited_for_because_its_child_holds_the_pipe() -> None:
    ran = process.run(shell("sleep 30 & echo done"))
    assert ran.stdout == b"done\n"
    assert ran.seconds < SOON


@pytest.mark.parametrize("script", ["sleep {0} & sleep {0}", "trap '' TERM; sleep {0} & wait; sleep {0}"])
def test_the_whole_group_ends_with_the_time(script: str) -> None:
    token = f"77{uuid.uuid4().int % 10**8}"
    ran = process.run(shell(script.format(token)), seconds=0.3)
    assert ran.ended == "wall"
    assert ran.seconds < SOON
    assert jail.gone(token, SOON)


def test_a_background_child_ends_with_its_command() -> None:
    token = f"78{uuid.uuid4().int % 10**8}"
    process.run(shell(f"sleep {token} &"))
    assert jail.gone(token, SOON)


def test_a_flood_is_cut_and_ended() -> None:
    ran = process.run(Command(("/usr/bin/yes",)), output=100_000, seconds=20)
    assert (ran.ended, len(ran.stdout)) == ("output", 100_000)
    assert ran.seconds < SOON


def test_exactly_the_cap_is_no_flood() -> None:
    ran = process.run(Command(("/bin/cat",)), stdin=b"x" * 1000, output=1000)
    assert (ran.ended, len(ran.stdout)) == ("exit", 1000)


def test_a_watch_can_end_it() -> None:
    looks = iter(["exit", "exit", "memory"])
    ran = process.run(Command(("/bin/sleep", "30")), watch=lambda: next(looks))  # type: ignore[arg-type]
    assert ran.ended == "memory"
    assert ran.seconds < SOON


def test_a_missing_program_is_named() -> None:
    with pytest.raises(CommandFailed, match="/no/such/program cannot be started"):
        process.run(Command(("/no/such/program",)))


def test_an_argument_with_a_zero_byte_is_refused_not_cut() -> None:
    with pytest.raises(CommandFailed, match="embedded null byte"):
        process.run(Command(("/bin/echo", "a\0b")))


def test_only_named_descriptors_are_inherited() -> None:
    read, write = os.pipe()
    os.set_inheritable(write, True)
    try:
        seen = process.run(Command(("/bin/ls", "/proc/self/fd"), fds=(read,))).stdout.split()
    finally:
        os.close(read)
        os.close(write)
    assert str(read).encode() in seen
    assert str(write).encode() not in seen


def test_it_has_no_terminal_and_a_session_of_its_own() -> None:
    ran = process.run(shell("ps -o sid= -p $$; (: </dev/tty) 2>/dev/null || echo none", PATH="/usr/bin:/bin"))
    session, terminal = ran.stdout.split()
    assert int(session) != os.getsid(0)
    assert terminal == b"none"


def test_a_program_outlives_the_thread_that_started_it_though_it_dies_with_its_parent() -> None:
    started: list[Program] = []
    command = Command(("/usr/bin/setpriv", "--pdeathsig", "KILL", "/bin/sleep", "30"))
    thread = threading.Thread(target=lambda: started.append(Program(command)))
    thread.start()
    thread.join()
    time.sleep(0.3)
    assert not started[0].gone()
    assert started[0].end() == -9
    started[0].close()


def test_a_fork_of_ours_can_start_programs_too() -> None:
    assert process.run(Command(("/bin/true",))).status == 0
    child = os.fork()
    if child == 0:
        os._exit(process.run(shell("exit 42")).status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42


def test_ending_twice_is_ending_once() -> None:
    program = Program(Command(("/bin/sleep", "30")))
    assert program.end() == program.end() == -9
    program.close()


def test_orphans_are_reaped_and_leave_no_trace() -> None:
    ran = process.run(shell("sh -c 'sleep 30 & echo $!' & wait"))
    assert ran.status == 0
    assert not os.path.exists(f"/proc/{int(ran.stdout)}")
