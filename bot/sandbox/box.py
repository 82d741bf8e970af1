"""Where untrusted code runs: one job to its end, or one session behind a pipe, under every limit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from bot.frozen import frozen
from bot.machine.exchange import exchange
from bot.model import Job, Ran
from bot.sandbox.launch import Launcher, Started
from bot.sandbox.profile import writable
from bot.sandbox.talk import Frames, Warden
from bot.sandbox.watch import Watcher, sockets


@frozen
class Box:
    """Runs jobs by one launcher. `owner` is the uid and gid that a job's folder must belong to, None where it is ours;
    `read` are host paths that every job sees."""

    mode: str
    owner: tuple[int, int] | None
    launcher: Launcher
    memory: int
    read: tuple[str, ...] = ()

    def run(self, job: Job) -> Ran:
        """Run to the end or to a limit. Raises NoSandbox when the command was never reached."""
        with self._started(job) as (started, watch):
            limits = job.bounds
            ran = exchange(started.program, job.stdin, seconds=limits.seconds, output=limits.output, watch=watch)
            if ran.ended == "exit":
                started.check(ran.stderr.decode("utf-8", "replace"))
                ran = replace(ran, ended=watch.final())
        return ran

    @contextmanager
    def session(self, job: Job) -> Iterator[Frames]:
        """Start it with pipes on its standard input and output; after the block everything of it has ended.

        Its frames raise SiteBroken; NoSandbox when the command was never reached. `bounds.seconds` is for the whole.
        """
        with self._started(job) as (started, watch):
            warden = Warden(started, watch, job.bounds.seconds)
            warden.start()
            try:
                yield Frames(started, warden)
            finally:
                started.program.end()
                warden.join()

    @contextmanager
    def _started(self, job: Job) -> Iterator[tuple[Started, Watcher]]:
        job = replace(job, read=(*job.read, *self.read))
        with self.launcher(job) as started:
            folder = job.work if writable(job) else None
            yield started, Watcher(started.program.pid, folder, job.bounds, min(self.memory, job.bounds.memory))
            started.program.end()
        if folder is not None:
            for dead in list(sockets(folder)):  # whoever listened there has ended; the next job must not meet it
                with suppress(OSError):
                    Path(dead).unlink()
