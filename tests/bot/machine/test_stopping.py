"""A polite stop: the cycle ends within seconds as failed, with its record, and leaves nothing running."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.machine.process import Command, run
from bot.machine.reaping import ROLL, Roll
from bot.machine.stopping import STATUS, Stopped, stoppable
from tests.support.firing import Place, place, warmed
from tests.support.plays import bash, say

SLEEPY = b'"""Sleeps."""\nfrom flask import Blueprint\nimport time\nblueprint = Blueprint("pages", __name__)\n'
SLEEPY += b'@blueprint.get("/")\ndef index():\n    time.sleep(60)\n    return "late"\n'


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    own = tmp_path_factory.getbasetemp()
    return warmed(own.parent if "PYTEST_XDIST_WORKER" in os.environ else own)


@pytest.fixture
def reopened() -> Iterator[None]:
    """A process that was stopped starts nothing more and heeds no further signal; this one has tests to run."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    ROLL.closed = False
    for number, handler in before.items():
        signal.signal(number, handler)


class Firing:
    """`plusone run` in a process of its own, whose nodes are heard through systemd's socket."""

    def __init__(self, here: Place, script: Path) -> None:
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._ear.bind(str(here.folder / "notify"))
        self._ear.settimeout(60)
        program = [str(Path(sys.prefix, "bin", "plusone")), "run", "--json", "--model", f"script:{script}"]
        environment = {**os.environ, "NOTIFY_SOCKET": str(here.folder / "notify"), "TMPDIR": str(here.scratch)}
        self._process = subprocess.Popen(
            [*program, "--config", str(here.made.config)], env=environment, stdout=-1, stderr=-1, text=True
        )

    def comes_to(self, node: str) -> None:
        while self._ear.recv(1000).decode() != f"STATUS=at {node}":
            pass

    def stop(self, times: int = 1) -> tuple[int, dict[str, object], str]:
        for _ in range(times):
            self._process.send_signal(signal.SIGTERM)
            time.sleep(0.05)
        out, err = self._process.communicate(timeout=20)
        found: dict[str, object] = json.loads(out)
        return self._process.returncode, found, err


def script(here: Place) -> Path:
    path = here.folder / "play.json"
    path.write_text(json.dumps({"build": [[bash("sleep 61"), say("done")]]}), encoding="utf-8")
    return path


def slept(here: Place, times: int) -> None:
    """A cycle whose agent sleeps is stopped; it ends with its record and leaves nothing."""
    tip = here.tip
    firing = Firing(here, script(here))
    firing.comes_to("build")
    deadline = time.monotonic() + 30
    while not any(b"sleep\x0061" in cmd for cmd in commands()) and time.monotonic() < deadline:
        time.sleep(0.05)
    status, report, complaint = firing.stop(times)
    assert (status, report["outcome"], report["stage"], report["stopped_by"]) == (143, "failed", "build", "Stopped")
    assert "stopped by SIGTERM" in str(report["reason"]) and "stopped by SIGTERM" in complaint
    assert complaint.count("\n") == 1
    assert not any(b"sleep\x0061" in cmd for cmd in commands())
    assert here.tip == tip
    here.clean()


def commands() -> Iterator[bytes]:
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            yield path.read_bytes()
        except OSError:
            continue


def test_a_cycle_whose_agent_works_ends_with_its_record(tmp_path: Path, cache: Path) -> None:
    here = place(tmp_path, cache)
    slept(here, times=1)
    with here.journal() as journal:
        assert journal.runs(1)[0].exit_code == STATUS


def test_a_second_signal_does_not_disturb_the_ending(tmp_path: Path, cache: Path) -> None:
    slept(place(tmp_path, cache), times=3)


def test_measurements_in_threads_end_at_once_too(tmp_path: Path) -> None:
    here = place(tmp_path)
    here.human({"src/lights/views/pages.py": SLEEPY})
    firing = Firing(here, script(here))
    firing.comes_to("precheck")
    time.sleep(2.5)  # by then the sweep of base is under way; earlier would be as good
    began = time.monotonic()
    status, report, _ = firing.stop()
    assert time.monotonic() - began < 8  # one page may take ten seconds, the sweep minutes
    assert (status, report["outcome"], report["stage"]) == (143, "failed", "precheck")
    here.clean()


def test_where_no_signal_came_the_old_way_holds_again() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with stoppable():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, STATUS), (signal.SIGHUP, 129)])
def test_the_first_signal_raises_and_further_ones_are_ignored(
    number: signal.Signals, status: int, reopened: None
) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    with pytest.raises(Stopped, match=f"stopped by {number.name}, ") as caught, stoppable():
        os.kill(os.getpid(), number)
        time.sleep(5)
    assert caught.value.code == status
    assert signal.getsignal(signal.SIGTERM) is signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_a_session_that_ends_does_not_end_what_nohup_started(reopened: None) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with stoppable():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


def test_what_runs_is_ended_and_nothing_more_is_started(reopened: None) -> None:
    began = time.monotonic()
    with pytest.raises(Stopped), stoppable():
        subprocess.Popen(["/bin/sh", "-c", f"sleep 0.5; kill -TERM {os.getpid()}"])
        run(Command(("/bin/sleep", "62")))
    assert time.monotonic() - began < 20
    with pytest.raises(Exception, match="is being ended"):
        run(Command(("/bin/true",)))


def test_a_program_that_starts_as_the_roll_closes_is_ended() -> None:
    roll, ended = Roll(), []

    class Program:
        def end(self) -> int:
            ended.append(self)
            return 0

    roll.close()
    roll.enter(Program())
    assert len(ended) >= 1
