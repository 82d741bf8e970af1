"""Starts one job in bubblewrap, with all that it needs around it and nothing left behind."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from bot.errors import NoSandbox
from bot.frozen import frozen
from bot.machine.process import Command, Program
from bot.model import Job
from bot.sandbox import profile
from bot.sandbox.account import Account
from bot.sandbox.record import Record
from bot.sandbox.stage import stage
from bot.sandbox.trouble import explained
from bot.sandbox.watch import is_kin, sockets


@frozen
class Started:
    """A running job, and bubblewrap's record of it where there is one."""

    program: Program
    record: Record | None = None

    def check(self, stderr: str) -> None:
        """Raises NoSandbox when the job, which ended by itself, never reached its command."""
        if self.record is not None and not self.record.began():
            raise explained(stderr)


Launcher = Callable[[Job], AbstractContextManager[Started]]


@frozen
class Bubblewrap:
    """Starts jobs in the full profile, in two stages where there is an account to drop to."""

    binary: str
    needs: tuple[str, ...]
    seccomp: bytes
    account: Account | None
    memory: int

    @contextmanager
    def __call__(self, job: Job) -> Iterator[Started]:
        """The job, running; after the block it has ended and left nothing."""
        checked(job)
        with ExitStack() as stack:
            mask = stack.enter_context(masked(job))
            files = [Memory(content) for content in self._files(job)]
            records = [Record()] if self.account is None else [Record(), Record()]  # the inner stage's comes first
            for close in (*(file.close for file in files), *(record.close for record in records)):
                stack.callback(close)
            seccomp, passwd, group, variables = handed = tuple(file.fd for file in files)
            channels = profile.Channels(seccomp, passwd, group, records[0].write, variables)
            argv = self._argv(job, channels, mask, records[-1].write)
            fds = (*handed, *(record.write for record in records))
            program = Program(Command(tuple(argv), fds=fds))
            program.victims = lambda: (pid for pid in records[-1].first_process() if is_kin(pid, program.pid))
            stack.callback(program.close)
            stack.callback(program.end)
            for record in records:
                record.handed_over()
            yield Started(program, records[0])

    def _files(self, job: Job) -> tuple[bytes, ...]:
        return self.seccomp, profile.PASSWD, profile.GROUP, profile.variables(job)

    def _argv(self, job: Job, channels: profile.Channels, mask: tuple[str, ...], record: int) -> list[str]:
        memory = min(self.memory, job.bounds.memory)
        inside = [
            *profile.ceilings(job.bounds, memory),
            *("--", self.binary),
            *profile.arguments(job, channels, mask),
            "--",
            *profile.limited(job.argv, job.bounds, memory),
        ]
        if self.account is None:
            return inside
        readable = profile.visible((*job.read, *self.needs))
        write, read = ([job.work], readable) if profile.writable(job) else ([], [job.work, *readable])
        return [*stage(self.binary, self.account, record, write, read), *inside]


class Memory:
    """A file that exists only as a descriptor, for a program to read."""

    def __init__(self, content: bytes) -> None:
        self.fd = os.memfd_create("plusone")
        os.write(self.fd, content)
        os.lseek(self.fd, 0, os.SEEK_SET)

    def close(self) -> None:
        """Let go of it."""
        os.close(self.fd)


def checked(job: Job) -> None:
    """Raises NoSandbox where the job's folder is none, or holds a socket through which it would reach out."""
    work = Path(job.work)
    if not work.is_absolute() or work.is_symlink() or not work.is_dir():
        raise NoSandbox(f"sandbox: {job.work} is not a folder at an absolute path; nothing was run")
    if found := next(sockets(job.work), None):
        raise NoSandbox(f"sandbox: {found} is a socket, which leads out of the sandbox; remove it")


@contextmanager
def masked(job: Job) -> Iterator[tuple[str, ...]]:
    """The arguments that hide `/w/.git`; where a writable folder has none, one stands there while the job runs."""
    git = Path(job.work, ".git")
    made = profile.writable(job) and not os.path.lexists(git)
    if made:
        git.mkdir(mode=0o700)
    try:
        yield profile.git_mask(Path(job.work))
    finally:
        if made:
            with suppress(OSError):
                git.rmdir()
