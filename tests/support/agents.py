"""Agents for tests: the real client on a transport of the test's choice, hands without a sandbox."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

from bot.agents.agent import ModelAgent
from bot.agents.calls import Caller
from bot.agents.client import open_client
from bot.agents.hands import Hands
from bot.agents.recording import Recorded, Recording
from bot.agents.transports import RecordingTransport
from bot.agents.visits import Visits
from bot.model import Job, Ran
from tests.support.messages_api import FakeApi, NoWait, Tally

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from bot.ports import Talk

MODELS = {"build": "claude-sonnet-5-5", "validate": "claude-opus-5-5", "fix": "claude-sonnet-5-5"}


class BareSandbox:
    """Runs jobs where they are; only for tests of what surrounds the sandbox."""

    mode = "none"

    def run(self, job: Job) -> Ran:
        start = time.monotonic()
        try:
            done = subprocess.run(
                job.argv, cwd=job.work, input=job.stdin, capture_output=True, env=job.env, timeout=job.bounds.seconds
            )
        except subprocess.TimeoutExpired:
            return Ran(0, b"", b"", job.bounds.seconds, "wall")
        return Ran(done.returncode, done.stdout, done.stderr, time.monotonic() - start)

    def session(self, job: Job) -> AbstractContextManager[Talk]:
        raise NotImplementedError


@dataclass
class Bench:
    """An agent and all that it is wired to."""

    agent: ModelAgent
    visits: Visits
    clock: NoWait
    meter: Tally
    recording: Recording
    work: Path = field(default_factory=Path)


def bench(
    folder: Path,
    transport: Callable[[Visits], httpx2.BaseTransport] | None = None,
    api: FakeApi | None = None,
    served: Recorded | None = None,
    meter: Tally | None = None,
) -> Bench:
    """An agent over the real client; it talks to the fake, or to the given transport, and is recorded."""
    visits, clock, meter = Visits(), NoWait(), meter or Tally()
    recording = Recording(folder / "exchanges.jsonl")
    if not recording.path.exists():
        recording.begin({"cycle": "c1"})
    inner = transport(visits) if transport else httpx2.HTTPTransport()
    wire = RecordingTransport(inner, recording, visits, meter, clock.now, served)
    address = api.url if api else "http://127.0.0.1:9"
    caller = Caller(lambda: open_client("sk-secret", wire, address), clock)
    work = folder / "work"
    work.mkdir(exist_ok=True)
    agent = ModelAgent(caller, MODELS, Hands(BareSandbox(), sys.executable), visits)
    return Bench(agent, visits, clock, meter, recording, work)


@contextmanager
def caller_to(api: FakeApi, clock: NoWait, seconds: float = float("inf")) -> Iterator[Caller]:
    """A caller straight to the fake, with some seconds left."""
    with httpx2.HTTPTransport() as wire:
        yield Caller(lambda: open_client("sk-secret", wire, api.url), clock, lambda: seconds - clock.at)
