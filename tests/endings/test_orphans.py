"""A sandbox whose starter was killed at a bad moment is ended by the next firing; nobody else's program is touched."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from bot.machine.orphans import end_orphans
from tests.support import firing
from tests.support.traces import descendants

BWRAP = shutil.which("bwrap") or "bwrap"  # `.ci/run` installs it
Start = Callable[..., int]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a program that lasts; what is left of it at the end is killed."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(*words: str) -> int:
        started.append(subprocess.Popen(words, stdout=subprocess.PIPE, start_new_session=True))
        out = started[-1].stdout
        assert out is not None and out.read(1) == b"x"
        return started[-1].pid

    yield begin
    for program in started:
        with suppress(ProcessLookupError):
            os.killpg(program.pid, signal.SIGKILL)
        program.wait()


def boxed(work: Path) -> tuple[str, ...]:
    """A job without an end, in a sandbox that does not die with us."""
    work.mkdir(parents=True)
    return (BWRAP, "--dev-bind", "/", "/", "--unshare-pid", "--bind", str(work), "/mnt", "sh", "-c", "echo x; sleep 60")


def lives(pid: int) -> bool:
    state = Path(f"/proc/{pid}/stat")
    return state.exists() and state.read_text().rpartition(")")[2].split()[0] != "Z"


def test_a_sandbox_over_the_folder_is_ended_with_all_that_is_in_it(tmp_path: Path, start: Start) -> None:
    pid = start(*boxed(tmp_path / "site" / "scratch" / "export"))
    inside = descendants(pid)
    assert inside and end_orphans(tmp_path / "site") >= 1
    until = time.monotonic() + 30
    while any(map(lives, (pid, *inside))) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(lives, (pid, *inside)))


def test_the_sandboxes_of_another_site_are_left_alone(tmp_path: Path, start: Start) -> None:
    pid = start(*boxed(tmp_path / "site-2" / "scratch"))
    assert end_orphans(tmp_path / "site") == 0 and lives(pid)


def test_a_persons_program_that_names_the_folder_is_left_alone(tmp_path: Path, start: Start) -> None:
    pid = start("sh", "-c", "echo x; sleep 60", f"{tmp_path}/site/journal.db")
    assert end_orphans(tmp_path / "site") == 0 and lives(pid)


def test_where_nothing_is_left_nothing_happens(tmp_path: Path) -> None:
    assert end_orphans(tmp_path) == 0


def test_a_firing_ends_what_a_killed_check_by_hand_left(tmp_path: Path, cache: Path, start: Start) -> None:
    here = firing.place(tmp_path, cache)
    pid = start(*boxed(here.state.scratch / "export-of-a-killed-check"))
    here.goes_on()
    assert not lives(pid)
